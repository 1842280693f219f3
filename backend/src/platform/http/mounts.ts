// Other programs under a path of ours: the demo mounts the simulator. Answers pass through as streams.

/** A program that answers everything under `prefix`; it sees the address as it came. */
export interface Mount {
  readonly prefix: string
  readonly fetch: (request: Request) => Response | Promise<Response>
}

/** The mount a path belongs to. */
export function findMount(mounts: readonly Mount[], pathname: string): Mount | undefined {
  return mounts.find(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`))
}
