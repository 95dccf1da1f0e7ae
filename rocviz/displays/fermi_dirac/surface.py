"""FermiDiracSurfaceDisplay: temperature and chemical potential over AUC and prevalence."""

from __future__ import annotations

from typing import Any, Self

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.fermi_dirac.experiment import FermiDiracSurface, fermi_dirac_surface
from rocviz.displays.base.data import check_kind
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import ink
from rocviz.displays.base.figure import pair_of_panels
from rocviz.displays.base.style import AS_IT_IS, Pen, halo, resolve_theme, stroke, style_axes
from rocviz.pictures import UNIT_TICKS, round_ticks, tick_texts
from rocviz.theme import Theme

_TEMPERATURES = (-1.0, -0.5, -0.3, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
_POTENTIALS = (-1.0, -0.5, 0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0)


class FermiDiracSurfaceDisplay(Display):
    """Temperature and chemical potential of the law, as contours over AUC and prevalence.

    Both are of the limit of many samples, as shares of their number N: the AUC and the
    prevalence alone give them, as in figure 2 of Kim et al. (2021). Use :meth:`from_grid` to make
    one; the constructor takes results.

    Parameters
    ----------
    surface : FermiDiracSurface
        Grid of at least two AUCs and two prevalences.

    Attributes
    ----------
    axes_, contours_ : list of matplotlib Axes, list of QuadContourSet
        Axes of the temperature and of the chemical potential.
    figure_ : matplotlib Figure

    Raises
    ------
    ValueError
        If ``surface`` is something else, or has fewer than two AUCs or prevalences.

    See Also
    --------
    rocviz.core.fermi_dirac.fermi_dirac_surface : The numbers.
    FermiDiracDisplay : The law of one ranking.

    Examples
    --------
    >>> from rocviz import FermiDiracSurfaceDisplay
    >>> display = FermiDiracSurfaceDisplay.from_grid([0.6, 0.8, 0.9], [0.2, 0.5, 0.8])
    >>> display.surface.chemical_potential[1].round(3)
    array([0.5, 0.5, 0.5])
    """

    def __init__(self, surface: FermiDiracSurface) -> None:
        check_kind(surface, "surface", FermiDiracSurface, "fermi_dirac_surface")
        if min(surface.temperature.shape) < 2:
            raise ValueError("surface must have at least two values of auc and two of prevalence.")
        self.surface = surface

    @classmethod
    def from_grid(
        cls,
        auc: ArrayLike | None = None,
        prevalence: ArrayLike | None = None,
        *,
        ax: tuple[Axes, Axes] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Solve the law on a grid, and draw the surface.

        Parameters
        ----------
        auc, prevalence : array-like, optional
            As in :func:`rocviz.core.fermi_dirac.fermi_dirac_surface`.
        ax, theme
            As for :meth:`plot`.

        Returns
        -------
        FermiDiracSurfaceDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        return cls(fermi_dirac_surface(auc, prevalence)).plot(ax=ax, theme=theme)

    def plot(
        self, ax: tuple[Axes, Axes] | None = None, *, theme: Theme | str | None = None
    ) -> Self:
        """Draw the contours; the coldest is darkest.

        Each contour has its value.

        Parameters
        ----------
        ax : pair of matplotlib Axes, optional
            For the temperature and the chemical potential; by default those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        FermiDiracSurfaceDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        resolved_theme = resolve_theme(theme)
        self.axes_ = pair_of_panels(ax, resolved_theme, height=4.9, wspace=0.22)
        self.figure_ = self.axes_[0].figure
        left = Pen(self.axes_[0], resolved_theme)
        right = Pen(self.axes_[1], resolved_theme)
        surface = self.surface
        self.contours_ = [
            _draw(left, surface, "temperature", _TEMPERATURES, "Temperature T / N"),
            _draw(right, surface, "chemical_potential", _POTENTIALS, "Chemical potential μ / N"),
        ]
        return self


def _draw(
    pen: Pen, surface: FermiDiracSurface, name: str, levels: tuple[float, ...], heading: str
) -> Any:
    """Draw one surface, coldest darkest, with the value of each contour."""
    ax = pen.ax
    theme = pen.theme
    style_axes(ax, theme)
    pen.title(heading)
    values = np.ma.masked_invalid(getattr(surface, name))
    low = float(values.min())
    high = float(values.max())
    shown = [level for level in levels if low < level < high]
    share = 0.65 / max(len(levels), 1)
    inks = [ink("hull", theme, 0.75 - share * i) for i in range(len(levels) + 1)]
    grid = surface.auc, surface.prevalence, values
    ax.contourf(*grid, levels=[-np.inf, *levels, np.inf], colors=inks, zorder=0.5)
    lines = ax.contour(
        *grid, levels=shown or [low], colors=theme.colour("text"), linewidths=stroke(theme, 0.5)
    )
    with mpl.rc_context({"text.usetex": False}):  # measures its texts, and takes no setting of them
        labels = lines.clabel(fmt="%g", fontsize=pen.font(0.9), colors=theme.colour("text"))
    for text in labels:
        text.set_path_effects(halo(theme))
    ticks = tuple(round_ticks(*surface.auc[[0, -1]]).tolist())
    ax.set_xticks(ticks, tick_texts(ticks), **AS_IT_IS)
    ax.set_yticks(UNIT_TICKS, tick_texts(UNIT_TICKS), **AS_IT_IS)
    ax.set_xlabel("AUC", **AS_IT_IS)
    ax.set_ylabel("prevalence", **AS_IT_IS)
    ax.set_ylim(surface.prevalence[[0, -1]])
    ax.grid(False)
    return lines
