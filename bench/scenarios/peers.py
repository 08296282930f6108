"""A chess move that is checked, clocked, stored and sent to both players: Qipai beside other libraries."""

from bench.load.measurement import Measurement, noise
from bench.load.qtchess_players import play_qtchess
from bench.peer_servers import PEER_SERVERS, Peer, install_peers, node_sqlite, peer_server
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import qipai_server
from bench.statistics import median

from .cpu_per_move import MICRO, cpu_microseconds


async def peers(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move; in every round Qipai and all peers play one after the other."""
    install_peers()
    qipai_runs: list[Measurement] = []
    peer_runs: dict[str, list[Measurement]] = {peer.name: [] for peer in PEER_SERVERS}
    for _ in range(scale.rounds):
        with qipai_server() as server:
            qipai_runs.append(await play_qtchess(server, scale.tables, scale.warm, scale.seconds))
        report.add_run("peers", qipai_runs[-1])
        for peer in PEER_SERVERS:
            with peer_server(peer) as server:
                runs = peer_runs[peer.name]
                runs.append(await peer.play(server, scale.tables, scale.warm, scale.seconds))
            report.add_run("peers", runs[-1])
    return [peer_row(peer, qipai_runs, peer_runs[peer.name], node_sqlite()) for peer in PEER_SERVERS]


def peer_row(peer: Peer, qipai_runs: list[Measurement], peer_runs: list[Measurement], sqlite: str) -> Row:
    """Return the row of one peer; the ratio of each round gives the spread."""
    qipai, other = cpu_microseconds(qipai_runs), cpu_microseconds(peer_runs)
    ratios = [
        ours.cpu_per_move / theirs.cpu_per_move for ours, theirs in zip(qipai_runs, peer_runs, strict=True)
    ]
    store = sqlite if peer.program.endswith(".mjs") else "sqlite3"
    lowest, highest = (bound(run.cpu_per_move * MICRO for run in peer_runs) for bound in (min, max))
    note = f"stored with {store}; ratios {min(ratios):.2f} to {max(ratios):.2f}; "
    note += f"peer {lowest:.0f} to {highest:.0f} µs" + noise([*qipai_runs, *peer_runs])
    return Row(
        f"peers ({peer.name})", "µs", "<= 1.0 x", qipai, other, median(ratios), median(ratios) <= 1, note
    )
