// A call of which no answer came, made once more.
import { isApiError } from '@balcao/client'

const AGAIN_MS = 1000

/** Only for calls of which the server knows a repeat, by a `clientId` that is the same both times: nothing is done twice. */
export async function repeatUnanswered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isApiError(error, 'OFFLINE')) throw error
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    return call()
  }
}
