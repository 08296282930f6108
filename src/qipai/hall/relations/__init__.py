"""Relations of accounts: whom they follow and block, who of them is online, challenges.

Guests have no relations. What is seen of persons at a table is not here: `hall/people`.
"""
