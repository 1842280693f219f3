/** What the page tells of the account: the code to be read, and who rings. */
import { Emitter } from './emitter'
import type { ModelFields } from './models'

export class Conn extends Emitter {
  ref = ''
  readonly platform = 'smba'
  pushname = ''

  serialize(): ModelFields {
    return { ref: this.ref, platform: this.platform, pushname: this.pushname }
  }
}

/** Calls as the page keeps them: a map whose entries the library listens to. */
export class Calls extends Emitter {
  readonly calls = new Map<string, ModelFields>()
}
