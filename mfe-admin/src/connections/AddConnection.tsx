import type { Connection } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { TextInput } from '@balcao/ui/parts'
import { FormDialog, FormField, useForm } from '@balcao/ui/screens'
import { type ConnectionPage, startSession } from './actions.ts'
import { type ConnectionFields, createEmptyFields, toCreateBody, validateFields } from './form.ts'
import { KindChoice } from './KindChoice.tsx'
import { OwnFields } from './OwnFields.tsx'

interface AddConnectionProps {
  /** The first one of all is the default one. */
  readonly first: boolean
  readonly desk: ConnectionPage
  readonly onAdded: (id: number) => void
  readonly onClose: () => void
}

/** The first step of a new connection (spec 2 §2): its name and how it is connected. The code, or Meta's side, comes next. */
export function AddConnection({ first, desk, onAdded, onClose }: AddConnectionProps) {
  const t = useTexts('connections')
  const form = useForm<ConnectionFields, Connection>({
    texts: 'connections',
    keptAs: 'connections/new',
    start: createEmptyFields(first, { npsMessage: t('form.npsDefault'), npsTksMessage: t('form.npsThanksDefault') }),
    isNew: true,
    faultsOf: fields => validateFields(fields, { hasToken: false }),
    fieldOf: { ERR_WAPP_NAME_ALREADY_EXISTS: 'name' },
    save: (fields, _progress, _version, clientId) =>
      api('POST /whatsapp', { body: { ...toCreateBody(fields), clientId } }),
    async onSaved(saved) {
      onAdded(saved.id)
      desk.put(saved)
      desk.reload()
      desk.open({ kind: saved.capabilities.webhook ? 'webhook' : 'qr', id: saved.id })
      if (saved.capabilities.pair.includes('qr')) desk.put(await startSession(saved.id))
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('form.addTitle')}
      intro={t('form.step1')}
      docked
      action={t('form.next')}
      onClose={onClose}
    >
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} autoComplete="off" data-autofocus="" />}
      </FormField>
      <KindChoice value={form.fields.api} onChange={kind => form.set('api', kind)} locked={false} />
      <OwnFields form={form} isKept={false} />
    </FormDialog>
  )
}
