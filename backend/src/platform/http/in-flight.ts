// What is held in memory of bodies that are still coming: an end to it for all of them, and for those of one address.
import { MB } from '@balcao/contract'
import { toNetworkAddress } from './addresses.ts'
import { AppError, createRateLimitError } from './errors.ts'

const AGAIN_SECONDS = 5

/** Counts bytes; one for each kind of sender, so that strangers take no room from people who are signed in. */
export class BytesInFlight {
  private total = 0
  private readonly byNetwork = new Map<string, number>()

  constructor(
    private readonly most: number,
    private readonly mostFromOne: number,
  ) {}

  /** Begins a body. `hold` throws `ERR_TOO_MANY_ATTEMPTS` where its address, `ERR_BUSY` where everybody together has too much on its way. */
  begin(address: string): { hold(bytes: number): void; end(): void } {
    const network = toNetworkAddress(address)
    let held = 0
    return {
      hold: bytes => {
        const ofNetwork = (this.byNetwork.get(network) ?? 0) + bytes
        if (ofNetwork > this.mostFromOne) throw createRateLimitError(AGAIN_SECONDS)
        if (this.total + bytes > this.most)
          throw new AppError('ERR_BUSY', undefined, { 'retry-after': String(AGAIN_SECONDS) })
        held += bytes
        this.total += bytes
        this.byNetwork.set(network, ofNetwork)
      },
      end: () => {
        this.total -= held
        const left = (this.byNetwork.get(network) ?? 0) - held
        if (left > 0) this.byNetwork.set(network, left)
        else this.byNetwork.delete(network)
      },
    }
  }
}

/** Of everybody who is not known: the calls without a session, and providers. */
export const STRANGERS = new BytesInFlight(32 * MB, 8 * MB)
/** Of people with a session: a whole office may have one address. */
export const PEOPLE = new BytesInFlight(128 * MB, 48 * MB)
