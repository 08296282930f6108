"""`python -m qipai` is `qipai`."""

from qipai.cli.main import main

raise SystemExit(main())
