from .progress import SimulationStopped as SimulationStopped
