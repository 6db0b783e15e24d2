"""The exceptions of concause: each holds one sentence that says what is wrong and what to do."""


class ConcauseError(Exception):
    """What all exceptions of concause are."""


class InputError(ConcauseError, ValueError):
    """A setting or the data cannot be used (exit code 2 of the command)."""


class NoColumnsError(InputError):
    """The data is right, but no column but the outcome can be used."""


class SettingError(InputError, TypeError):
    """There is no setting of this name."""


class RunError(ConcauseError, RuntimeError):
    """Anything else failed, such as the operating system (exit code 1 of the command)."""


class MissingPackageError(ConcauseError, ImportError):
    """What was asked for needs a package that is not installed."""


for _error in (ConcauseError, InputError, NoColumnsError, SettingError, RunError, MissingPackageError):
    _error.__module__ = "concause"
