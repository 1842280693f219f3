import { useTexts } from '../../i18n/index.ts'
import { Button } from './Button.tsx'

interface FormButtonsProps {
  /** The verb on the button that sends the form. */
  readonly action: string
  readonly busy?: boolean
  readonly disabled?: boolean
  /** The button that leaves has a frame of its own. */
  readonly framed?: boolean
  readonly onClose: () => void
}

/**
 * The foot of a dialog that is a form: 'Cancelar' and what sends it.
 *
 * @example <Dialog onSubmit={save} footer={<FormButtons action={t('save')} busy={busy} onClose={close} />} …>…</Dialog>
 */
export function FormButtons({ action, busy, disabled, framed, onClose }: FormButtonsProps) {
  const t = useTexts('ui')
  return (
    <>
      <Button kind={framed ? 'normal' : 'plain'} onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button type="submit" kind="primary" busy={busy} disabled={disabled}>
        {action}
      </Button>
    </>
  )
}
