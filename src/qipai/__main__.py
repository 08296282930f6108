"""`python -m qipai` is `qipai`."""

from .cli import main

raise SystemExit(main())
