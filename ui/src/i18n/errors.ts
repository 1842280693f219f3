import { getTexts } from './core.ts'

/**
 * What to tell the person about anything caught: what the server said (spec 1 §8), that it could not be asked, or that something failed.
 *
 * @example catch (error) { toast.error(describeError(error)) }
 */
export function describeError(error: unknown) {
  const code = getErrorCode(error)
  const t = getTexts('ui')
  if (code === undefined) return t('somethingFailed')
  if (code === 'OFFLINE' || code === 'FILE_CHANGED') return t(`error.${code}`)
  return getErrorMessage(error) || t('error.UNREADABLE')
}

function getErrorCode(error: unknown) {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

function getErrorMessage(error: unknown) {
  return error instanceof Error ? error.message : ''
}
