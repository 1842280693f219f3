import { useTexts } from '@balcao/ui/i18n'
import { Button } from '@balcao/ui/parts'
import type { useDraft } from './use-draft.ts'

/** Save or leave it, once something was written. */
export function DraftButtons({
  draft,
  onSave,
}: {
  readonly draft: ReturnType<typeof useDraft>
  readonly onSave?: () => void
}) {
  const t = useTexts('settings')
  if (!draft.isChanged) return null
  return (
    <span className="flex flex-none items-center gap-2">
      <Button size="small" kind="plain" onClick={draft.giveUp}>
        {t('giveUp')}
      </Button>
      <Button size="small" kind="primary" type={onSave ? 'button' : 'submit'} busy={draft.busy} onClick={onSave}>
        {t('save')}
      </Button>
    </span>
  )
}
