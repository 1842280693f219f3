/** One websocket of one client: handshake, then binary nodes both ways. */
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, type proto } from '@whiskeysockets/baileys'
import type { ServerWebSocket } from 'bun'
import type { Companion } from './companion'
import { createNode } from './nodes'
import { NoiseServer } from './noise'
import type { WhatsAppNetwork } from './world'

/** What an unpaired client said about itself. */
export interface Registration {
  noiseKey: Uint8Array
  data: proto.ClientPayload.IDevicePairingRegistrationData
}

export class ServerConnection {
  companion: Companion | undefined
  registration: Registration | undefined
  /** The codes this connection may show as QR; empty when it is logged in. */
  refs: string[] = []
  /** Whether the client renewed its secret when told to; nothing before it was told. */
  renewal: Promise<boolean> | undefined
  private readonly noise: NoiseServer
  private stage: 'hello' | 'finish' | 'open' | 'closed' = 'hello'
  private readonly answers = new Map<string, (answer: BinaryNode) => void>()
  private turn: Promise<unknown> = Promise.resolve()
  private nextId = 1
  private frozen = false

  constructor(
    private readonly world: WhatsAppNetwork,
    private readonly socket: ServerWebSocket<unknown>,
  ) {
    this.noise = new NoiseServer(world.chain)
  }

  private readonly hasLeft = Promise.withResolvers<void>()

  /** Resolves when either side has closed it. */
  get left(): Promise<void> {
    return this.hasLeft.promise
  }

  get open(): boolean {
    return this.stage === 'open'
  }

  /** Nodes are handled one after the other, in the order they came. */
  received(data: Uint8Array): void {
    if (this.frozen) return
    this.turn = this.turn.then(() => this.read(data)).catch(error => this.world.trouble(error))
  }

  send(stanza: BinaryNode): void {
    if (this.stage !== 'open' || this.frozen) return
    this.socket.sendBinary(this.noise.encode(encodeBinaryNode(stanza)))
  }

  /** Sends an `iq` of the server and waits for the client's answer. */
  ask(attrs: Record<string, string>, content: BinaryNode[], timeoutMs = 15_000): Promise<BinaryNode> {
    const id = `srv-${this.nextId++}`
    return this.expect(id, createNode('iq', { ...attrs, id }, content), timeoutMs)
  }

  /** Sends a stanza and waits for whatever answers its id. */
  expect(id: string, stanza: BinaryNode, timeoutMs = 15_000): Promise<BinaryNode> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.answers.delete(id)
        reject(new Error(`The client did not answer <${stanza.tag}> within ${timeoutMs} ms`))
      }, timeoutMs)
      this.answers.set(id, answer => {
        clearTimeout(timer)
        this.answers.delete(id)
        resolve(answer)
      })
      this.send(stanza)
    })
  }

  /** From now on nothing passes in either direction. */
  freeze(): void {
    this.frozen = true
  }

  close(): void {
    this.closed()
    if (!this.frozen) this.socket.close()
  }

  /** Says why, then closes. */
  end(reason: BinaryNode): void {
    this.send(reason)
    this.close()
  }

  closed(): void {
    if (this.stage === 'closed') return
    this.stage = 'closed'
    this.hasLeft.resolve()
    this.world.disconnected(this)
  }

  private async read(data: Uint8Array): Promise<void> {
    for (const frame of this.noise.frames(data)) {
      if (this.stage === 'hello') {
        this.socket.sendBinary(this.noise.hello(frame))
        this.stage = 'finish'
      } else if (this.stage === 'finish') {
        const { clientStatic, payload } = this.noise.finish(frame)
        this.stage = 'open'
        this.world.connected(this, clientStatic, payload)
      } else if (this.stage === 'open') {
        await this.handle(await decodeBinaryNode(frame))
      }
    }
  }

  private async handle(stanza: BinaryNode): Promise<void> {
    const answer = stanza.attrs.id ? this.answers.get(stanza.attrs.id) : undefined
    if (answer && (stanza.tag === 'ack' || stanza.attrs.type === 'result')) answer(stanza)
    await this.world.handle(this, stanza)
  }
}
