/** Addresses and keys of messages as the page has them. */

export class Wid {
  readonly user: string
  readonly server: string
  readonly _serialized: string

  constructor(serialized: string) {
    this._serialized = serialized
    const [user = '', server = ''] = serialized.split('@')
    this.user = user
    this.server = server
  }

  isLid(): boolean {
    return this.server === 'lid'
  }

  isGroup(): boolean {
    return this.server === 'g.us'
  }

  isUser(): boolean {
    return this.server === 'c.us' || this.isLid()
  }

  isStatus(): boolean {
    return false
  }

  toString(): string {
    return this._serialized
  }
}

export function createWid(like: string | { readonly _serialized: string }): Wid {
  if (like instanceof Wid) return like
  return new Wid(typeof like === 'string' ? like : like._serialized)
}

interface KeyParts {
  readonly from?: Wid
  readonly to: Wid
  readonly id: string
  readonly participant?: Wid | undefined
  readonly selfDir: 'in' | 'out'
}

export class MsgKey {
  readonly fromMe: boolean
  readonly remote: Wid
  readonly id: string
  readonly participant: Wid | undefined
  readonly _serialized: string

  constructor({ to, id, participant, selfDir }: KeyParts) {
    this.fromMe = selfDir === 'out'
    this.remote = to
    this.id = id
    this.participant = participant
    this._serialized = [this.fromMe, to, id, ...(participant ? [participant] : [])].join('_')
  }

  /** Async, as in the page of today. */
  static async newId(): Promise<string> {
    const bytes = crypto.getRandomValues(new Uint8Array(9))
    return `3EB0${[...bytes]
      .map(byte => byte.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()}`
  }

  toString(): string {
    return this._serialized
  }
}
