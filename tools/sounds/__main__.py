"""Writes every sound file."""

from .recipes import RECIPES, SOURCE


def main() -> None:
    """Write all files and print their sizes."""
    total = 0
    for recipe in RECIPES:
        content = recipe.content()
        recipe.file.parent.mkdir(parents=True, exist_ok=True)
        recipe.file.write_bytes(content)
        total += len(content)
        print(f"{len(content):7} {recipe.file.relative_to(SOURCE)}")
    print(f"{total:7} in all")


if __name__ == "__main__":
    main()
