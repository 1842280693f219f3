// A cable between the terminal and the desk, which can be pulled and put back.
import { afterAll } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'

export interface Cable {
  /** The desk, through the cable. */
  readonly url: string
  /** Pulls it: what goes over it ends, and nothing new comes through until it is put back. */
  pull(): void
  putBack(): void
}

export async function startCable(deskUrl: string): Promise<Cable> {
  const ends = new Set<Socket>()
  let isPulled = false
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  const cable = createServer(near => {
    if (isPulled) return void near.destroy()
    const far = connect(Number(new URL(deskUrl).port), '127.0.0.1')
    for (const end of [near, far]) ends.add(end.on('error', () => {}).on('close', () => ends.delete(end)))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => cable.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    cable.close()
    cut()
  })
  const address = cable.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    pull() {
      isPulled = true
      cut()
    },
    putBack() {
      isPulled = false
    },
  }
}
