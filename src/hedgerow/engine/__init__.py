"""The engine of the exact method: branch and bound over intervals of thresholds."""

__all__: list[str] = []
