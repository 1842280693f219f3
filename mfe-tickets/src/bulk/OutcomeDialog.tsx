// How it went where not everything went: so many done, and each refusal with its reason.
import { useTexts } from '@balcao/ui/i18n'
import { Button, Dialog } from '@balcao/ui/parts'
import { type BulkOutcome, marked } from './marked.ts'

export function OutcomeDialog({ outcome }: { readonly outcome: BulkOutcome }) {
  const t = useTexts('tickets')
  const close = () => {
    marked.outcome = null
  }
  const { summary, done, refused, undo } = outcome
  return (
    <Dialog
      title={t('many.refusedTitle', { count: refused.length })}
      intro={summary ?? t('many.noneDone')}
      onClose={close}
      footer={
        <>
          {undo && (
            <Button
              onClick={() => {
                close()
                undo()
              }}
            >
              {t('many.undoDone', { count: done })}
            </Button>
          )}
          <Button kind="primary" onClick={close} data-autofocus="">
            {t('many.close')}
          </Button>
        </>
      }
    >
      <ul className="l-refused">
        {refused.map(({ id, name, reason }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
