import { hasText, textsOf } from './core.ts'

/**
 * What to tell the person about anything caught: the text of its catalogue code, else the server's own words (spec 1 §8),
 * else that something failed.
 *
 * @example catch (error) { toast.error(errorText(error)) }
 */
export function errorText(error: unknown) {
  const code = codeOf(error)
  const t = textsOf('ui')
  if (code === undefined) return t('somethingFailed')
  return hasText('ui', `error.${code}`) ? t(`error.${code}`) : messageOf(error) || t('somethingFailed')
}

function codeOf(error: unknown) {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : ''
}
