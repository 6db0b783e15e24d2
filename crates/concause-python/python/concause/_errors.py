"""The exceptions of concause. Each message says what is wrong and what to do."""


class ConcauseError(Exception):
    """The base class of all exceptions of concause."""


class InputError(ConcauseError, ValueError):
    """A setting or the data are invalid (exit code 2 of the command)."""


class NoColumnsError(InputError):
    """The data are valid, but no column except the outcome can be used."""


class SettingError(InputError, TypeError):
    """There is no setting of this name."""


class RunError(ConcauseError, RuntimeError):
    """Something else failed, such as the operating system (exit code 1 of the command)."""


class MissingPackageError(ConcauseError, ImportError):
    """A required package is not installed."""


for _error in (ConcauseError, InputError, NoColumnsError, SettingError, RunError, MissingPackageError):
    _error.__module__ = "concause"
