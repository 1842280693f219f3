import { copyToClipboard } from '../../browser/index.ts'
import { getTexts } from '../../i18n/index.ts'
import { toast } from './toast.ts'

/** Puts a text on the clipboard and says so, or that it cannot be had there. */
export async function copyText(text: string): Promise<boolean> {
  const t = getTexts('ui')
  const isCopied = await copyToClipboard(text)
  if (isCopied) toast.success(t('copied'), { key: 'copied' })
  else toast.error(t('copyFailed'), { key: 'copied' })
  return isCopied
}
