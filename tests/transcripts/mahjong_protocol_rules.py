"""The rules of the mahjong protocol; transcripts name with `#=` the rules they show."""

from typing import Final

RULES: Final = {
    # Starting a game
    "rest_default": "Without a body: 13 tiles, open seats, no bots, 東風東 1-1, WAITING_PLAYERS.",
    "rest_chosen": "Every field of the body may be chosen.",
    "rest_tokens": "There are tokens only where seats go by token, one for each seat that is no bot's.",
    "rest_bad": "A bad body is refused with the name of its field.",
    "flowers_keep": "Flowers that are kept stay in the hand, may be put down and are never claimed.",
    "sixteen": "The 16-tile game deals 16, and 17 to the dealer.",
    "die3": "It rolls three dice.",
    # Frames
    "game_inside": "`game_id` may stand inside `data`.",
    "data_inside": "The fields may stand inside `data.data`.",
    "req_id_echoed": "A `req_id` comes back in the answer, and in a refusal.",
    "req_id_once": "The same `req_id` from the same seat is applied once and answered as before.",
    "refused_unchanged": "What is refused changes nothing, and nobody else hears of it.",
    "unknown_type": "An unknown type is called so.",
    "not_json": "What is no JSON object with a type is an invalid payload format.",
    "event_seq": "Every change is an event to all connections of the game; its numbers have no holes.",
    "event_each_viewer": "An event carries the state as `get_state` gives it to that viewer.",
    "answer_then_event": "The sender receives the reply before the event.",
    "rate": "50 frames a second are answered; the rest is refused, which is said once a second.",
    "text_stage": "action not allowed in current stage: <STAGE>",
    "text_turn": "not your turn to discard, current player is <n>",
    "text_tile": "failed to discard tile: tile not found in player hand",
    "text_own": "cannot declare action on your own discard",
    "text_game": "game not found",
    # Seats
    "acting_holds": "Of an open seat the first connection that acts for it is the holder.",
    "seat_taken": "Another connection that names a held seat is refused.",
    "seat_minute": "It is free again when its holder has been gone for a minute.",
    "several_seats": "One connection may hold several seats.",
    "join_takes": "`join_room` takes a free seat without acting.",
    "any_connection": "Dice, deal and next round may come from any connection of an open game.",
    "single_client": "Who deals where nobody has a seat takes all that are no bots'.",
    "token_join": "A seat by token is taken with its own token only.",
    "token_seated": "Without one no game command is taken.",
    "watcher": "Who holds no seat may ask.",
    "seat_before_turn": "The seat is checked before the turn.",
    "hands_hidden": "A connection sees the tiles of its own seats; of others the count.",
    "hands_open": "All hands are open at ROUND_OVER.",
    "votes_secret": "A vote is a secret until it is settled.",
    "wall_secret": "The wall is not sent before the hand is over.",
    # Shapes
    "id_binds": "A tile is its id; a wrong type or value beside it is refused.",
    "meld_types": "Sets are 1 chow, 2 pong, 3 exposed, 4 concealed, 5 added kong, and say from whom.",
    "result": "A result names winners, tai, patterns, the payer, and what changed hands.",
    "waiting_named": "`waiting_for` names every seat that could still claim.",
    "dead_wall_counted": "`deck_remaining` counts the dead wall.",
    "discards_claimed": "A discard that was taken says by whom.",
    "kong_hidden": "A concealed kong shows its tiles to its owner, and to all when the hand is over.",
    "deadline": "With timeouts the state has a deadline.",
    # Commands
    "roll_positions": "WAITING_PLAYERS: dice, then DETERMINE_DEALER. 座位決定完成",
    "roll_dealer": "DETERMINE_DEALER: the dealer is the total mod 4. 莊家決定完成",
    "deal_tiles": "DEALING: 13/13/13/14, sorted, the dealer is to discard. 發牌完成，已理牌",
    "discard_tile": "PLAYER_DISCARD: then WAIT_ACTION. 出牌成功，等待其他玩家動作",
    "player_action": "WAIT_ACTION: only what the seat may really do. 動作宣告成功",
    "chow_choice": "A chow names two tiles where there is a choice; else it is refused with the options.",
    "chow_objects": "The two are ids or tiles.",
    "kong_own_turn": "In PLAYER_DISCARD the current player may kong, or win.",
    "kong_choice": "A kong in an own turn names its tile where there is a choice.",
    "draw_tile": "PLAYER_DRAW: a tile from the front, sent to its owner. 摸牌成功",
    "draw_locked": "A draw is locked to its stage and to the current player.",
    "drawn_hidden": "To other seats the tile is hidden.",
    "drawn_hand": "Nothing left to draw: ROUND_OVER without a winner (荒莊).",
    "next_round": "ROUND_OVER: the next label, then DEALING.",
    "dealer_stays": "The dealer stays after a win or a drawn hand (連莊).",
    "finished": "After 4-4 has passed: finished, GAME_OVER, 一將結束（北風北已完成）.",
    "get_state": "The state has all its fields.",
    "get_hands": "`get_hands` at any time.",
    "get_deck_count": "`get_deck_count` at any time.",
    "sort_hand": "`sort_hand` at any time.",
    "join_room": "`join_room` at any time.",
    "verify_wall": "ROUND_OVER, GAME_OVER: the seed and the wall of the finished hand.",
    # Claims on a discard
    "priority": "hu before kong and pong before chow.",
    "settle_at_once": "A hu settles it at once if nobody else who has not answered could win.",
    "several_hu": "Several hu on one discard all win (一炮多響), and are waited for.",
    "jiehu": "With 截胡 only the nearest wins.",
    "changed_vote": "A vote may be changed until it is settled.",
    "all_pass": "All pass: PLAYER_DRAW, next seat.",
    "settle_chow": "A chow builds its set from real tiles, and its owner discards.",
    "pong_built": "So does a pong.",
    "kong_replaced": "A kong also takes a tile from the back.",
    "rob_kong": "An added kong opens a window in which only hu and pass are legal.",
    "bots": "Bots vote and play by themselves.",
    "timeouts": "With timeouts a claim passes after 8 s, and the drawn tile is discarded after 20 s.",
    "away_bot": "A bot plays for a player who is disconnected for 60 s, until the player reconnects.",
}

TESTED_RULES: Final = {
    "Game ids carry at least 64 random bits.": "clients/mahjong/test_mahjong_start_request.py::"
    "test_game_ids_are_random_and_unique",
    "GET /health, and a start over HTTP.": "clients/mahjong/test_mahjong_server.py::"
    "test_games_are_started_by_rest",
    "GET /api/mahjong/rules lists the switches.": "clients/mahjong/test_mahjong_server.py::"
    "test_the_house_rules_are_listed",
    "Free seats wait without timeouts.": "clients/mahjong/test_mahjong_bot_seats.py::"
    "test_free_seats_wait_without_limit_without_timeouts",
    "The wall follows from the seed.": "clients/mahjong/test_mahjong_flow.py::"
    "test_the_wall_follows_from_the_seed_that_was_committed_to",
    "The deal goes by three rounds of 4 and 1.": "games/mahjong/test_mahjong_rules.py::"
    "test_tiles_are_dealt_by_fours_from_the_dealer_who_takes_the_last_one",
}
"""Rules that no transcript can show, and the test that does."""
