"""What clients of the older programs are told of sanctions and announcements, in words that they show.

Belongs here: one module for each dialect, with its texts. Does not belong here: when they are told.
"""
