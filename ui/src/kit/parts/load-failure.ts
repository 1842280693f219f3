// Why a part of the page could not be loaded, in a word that says what helps.

/** `newVersion`: its files are not on the server any more. `failed`: none of the others. */
export type LoadFailure = 'offline' | 'unreachable' | 'slow' | 'newVersion' | 'failed'

/** As long as a remote itself may take: a server that is busy is not one that is gone. */
const PROBE_MS = 10_000

/** The style that failed last. */
let failedStyle: string | null = null
document.addEventListener('error', noteFailedStyle, true)

function noteFailedStyle({ target }: Event) {
  if (target instanceof HTMLLinkElement) failedStyle = target.href
}

/** A script that failed names its address, and a style has failed just before. */
export async function findLoadFailure(error: unknown): Promise<LoadFailure> {
  if (!navigator.onLine) return 'offline'
  if (!(error instanceof Error) || error.name !== 'ChunkLoadError') return 'failed'
  if (Reflect.get(error, 'type') === 'timeout') return 'slow'
  const request: unknown = Reflect.get(error, 'request') ?? failedStyle
  return typeof request === 'string' ? findAddressFailure(request) : 'failed'
}

/** Asks for the address once more. */
export async function findAddressFailure(address: string): Promise<LoadFailure> {
  if (!navigator.onLine) return 'offline'
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store', signal })
    return status === 404 ? 'newVersion' : 'failed'
  } catch (error) {
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'slow' : 'unreachable'
  }
}
