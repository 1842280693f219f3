import type { Connection, Queue } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { TextArea, toast } from '@balcao/ui/parts'
import { FormDialog, FormField, useForm } from '@balcao/ui/screens'
import { CompanyTryIt } from '@balcao/ui/try-it'
import type { ConnectionPage } from './actions.ts'
import { type ConnectionFields, toFields, toUpdateBody, validateFields } from './form.ts'
import { QueuesField } from './QueuesField.tsx'

interface GreetingFormProps {
  readonly connection: Connection
  readonly queues: readonly Queue[]
  readonly desk: ConnectionPage
  readonly onClose: () => void
}

/** The second step of a new connection: who attends what comes, what is said first, and how a customer sees it. */
export function GreetingForm({ connection, queues, desk, onClose }: GreetingFormProps) {
  const t = useTexts('connections')
  const { id, name, hasToken, version } = connection
  const form = useForm<ConnectionFields, Connection>({
    texts: 'connections',
    keptAs: `connections/${id}`,
    start: toFields(connection),
    now: toFields(connection),
    version,
    faultsOf: fields => validateFields(fields, { hasToken }),
    fieldOf: { ERR_WAPP_GREETING_REQUIRED: 'greetingMessage' },
    save: (fields, _progress, known) =>
      api('PUT /whatsapp/:id', { params: { id }, body: { ...toUpdateBody(fields), version: known } }),
    onSaved(saved) {
      desk.put(saved)
      toast.success(t('saved'))
      onClose()
    },
  })
  const { fields } = form
  return (
    <FormDialog
      form={form}
      title={t('form.greetingTitle', { name })}
      intro={t('form.step2')}
      docked
      action={t('form.finish')}
      onClose={onClose}
    >
      <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid content-start gap-4">
          <QueuesField form={form} queues={queues} />
          <FormField form={form} name="greetingMessage" required={fields.queueIds.length > 1}>
            {field => <TextArea {...field} maxRows={6} />}
          </FormField>
          <p className="m-0 text-small text-text-2">{t('form.later')}</p>
        </div>
        <div className="max-w-full justify-self-center">
          <CompanyTryIt connection={fields} />
        </div>
      </div>
    </FormDialog>
  )
}
