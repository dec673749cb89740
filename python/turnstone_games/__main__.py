"""``python -m turnstone_games …`` does what the program ``turnstone`` does."""

import signal
import sys

from . import _native

if __name__ == "__main__":
    # Ctrl-C ends the program as it would end the binary: nothing of Python runs meanwhile.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(["turnstone", *sys.argv[1:]], [sys.executable, "-m", "turnstone_games"]))
