import type { Queue } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { TextArea } from '@balcao/ui/parts'
import { FormDialog, FormField } from '@balcao/ui/screens'
import { CompanyTryIt } from '@balcao/ui/try-it'
import { QueuesField } from './QueuesField.tsx'
import { type ConnectionFormOptions, useConnectionForm } from './use-connection-form.ts'

interface GreetingFormProps extends ConnectionFormOptions {
  readonly queues: readonly Queue[]
}

/** The second step of a new connection: who attends what comes, what is said first, and how a customer sees it. */
export function GreetingForm({ connection, queues, desk, onClose }: GreetingFormProps) {
  const t = useTexts('connections')
  const { name } = connection
  const form = useConnectionForm({ connection, desk, onClose })
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
