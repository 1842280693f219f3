import { textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'

/** Puts a text on the clipboard and says so; the clipboard is missing on pages without https. */
export async function copyText(text: string) {
  const t = textsOf('admin')
  try {
    await navigator.clipboard.writeText(text)
    toast.success(t('copied'), { key: 'copied' })
  } catch {
    toast.error(t('copyFailed'), { key: 'copied' })
  }
}
