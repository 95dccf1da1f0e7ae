"""One ranking in every space: precision and recall, costs, net benefit, gains, partial area."""
