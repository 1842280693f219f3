import { toClipboard } from '../browser/index.ts'
import { textsOf } from '../i18n/index.ts'
import { toast } from './toast.ts'

/** Puts a text on the clipboard and says so, or that it cannot be had there. */
export async function copyText(text: string): Promise<boolean> {
  const t = textsOf('ui')
  const isCopied = await toClipboard(text)
  if (isCopied) toast.success(t('copied'), { key: 'copied' })
  else toast.error(t('copyFailed'), { key: 'copied' })
  return isCopied
}
