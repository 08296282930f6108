"""Makes the sound files of the web page; run `python -m tools.sounds`.

Every sound is computed: damped vibrations of wood, stone, bone and metal, short bursts of noise, plucked
strings and the reflections of a small room. Nothing is recorded or copied, so the files have the licence of
the project.
"""
