import { isRecord } from './json.ts'

/** Whether a call failed before anything of it was carried: a connection that never came about. */
export function isConnectFailure(error: unknown): boolean {
  const code = isRecord(error) ? String(error.code ?? '') : ''
  return /ConnectionRefused|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|FailedToOpenSocket/.test(code)
}
