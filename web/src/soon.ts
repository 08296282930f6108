export {};
declare module "./wire" {
  interface SeatRow { name: string; bot?: string; away?: boolean }
  interface LobbyRow { seats?: readonly (SeatRow | null)[]; since?: number; delay?: number }
  interface Table { delay?: number; takebacks?: boolean }
}
