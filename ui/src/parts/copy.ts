import { toClipboard } from '../browser/index.ts'
import { textsOf } from '../i18n/index.ts'
import { toast } from './toast.ts'

/** Puts a text on the clipboard and says so, or that it cannot be had there. */
export async function copyText(text: string) {
  const t = textsOf('ui')
  if (await toClipboard(text)) toast.success(t('copied'), { key: 'copied' })
  else toast.error(t('copyFailed'), { key: 'copied' })
}
