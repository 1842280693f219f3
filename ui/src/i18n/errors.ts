import { textsOf } from './core.ts'

/**
 * What to tell the person about anything caught: what the server said (spec 1 §8), that it could not be asked, or that something failed.
 *
 * @example catch (error) { toast.error(errorText(error)) }
 */
export function errorText(error: unknown) {
  const code = codeOf(error)
  const t = textsOf('ui')
  if (code === undefined) return t('somethingFailed')
  return code === 'OFFLINE' ? t('error.OFFLINE') : messageOf(error) || t('error.UNREADABLE')
}

function codeOf(error: unknown) {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : ''
}
