import { formatPhone } from '@balcao/contract/contacts/phone'
import { upload } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { TextInput, toast } from '@balcao/ui/parts'
import { FormDialog, FormField, useForm } from '@balcao/ui/screens'

interface TestSendProps {
  /** The send as its form stands, with its file. */
  readonly body: () => FormData
  /** What was typed the last time this form was tried. */
  readonly number: string
  readonly onNumber: (number: string) => void
  readonly onClose: () => void
}

/** The message to a phone of one's own, before it goes to anybody else. */
export function TestSend({ body, number, onNumber, onClose }: TestSendProps) {
  const t = useTexts('sends')
  const form = useForm({
    texts: 'sends',
    start: { number },
    isNew: true,
    faultsOf: fields => (fields.number.replace(/\D/g, '').length < LEAST ? { number: 'numberShort' } : {}),
    fieldOf: { ERR_WAPP_INVALID_CONTACT: 'number', ERR_WINDOW_CLOSED: 'number' },
    save(fields, progress, _version, clientId) {
      const request = body()
      request.append('number', fields.number)
      // The send's own name is for when it begins.
      request.set('clientId', clientId)
      return upload('POST /envioMassa/test', { body: request, ...progress })
    },
    onSaved(sent) {
      onNumber(formatPhone(sent.number))
      toast.success(t('test.sent', { number: formatPhone(sent.number) }))
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('test.title')}
      intro={t('test.intro')}
      action={t('test.action')}
      width={440}
      onClose={onClose}
    >
      <FormField form={form} name="number" required>
        {field => <TextInput {...field} type="tel" autoComplete="tel" maxLength={50} data-autofocus="" />}
      </FormField>
    </FormDialog>
  )
}

/** With country and area code. */
const LEAST = 10
