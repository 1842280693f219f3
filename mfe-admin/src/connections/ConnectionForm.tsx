import type { Connection, Queue } from '@balcao/contract'
import { KINDS, type Kind } from '@balcao/contract/kind-names'
import { KIND_TABLE, type KindField } from '@balcao/contract/kinds'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { classes, MultiSelect, PasswordInput, Switch, TextArea, TextInput, toast } from '@balcao/ui/parts'
import { FoldedSection, type Form, FormDialog, FormField, FormSection, useForm } from '@balcao/ui/screens'
import { CompanyTryIt } from '@balcao/ui/try-it'
import { type Desk, startSession } from './actions.ts'
import { DailyCap } from './DailyCap.tsx'
import { bodyOf, editBodyOf, emptyFields, type Fields, FLOW, faultsOf, fieldsOf, MESSAGES } from './form.ts'
import { WebhookFacts } from './WebhookDialog.tsx'

interface ConnectionFormProps {
  /** Null adds a new one. */
  readonly connection: Connection | null
  readonly first: boolean
  /** It was deleted meanwhile. */
  readonly isGone?: boolean
  readonly queues: readonly Queue[]
  readonly desk: Desk
  readonly onClose: () => void
}

/** Adds or changes a connection (spec 2 §2, §5). After adding it goes on to what comes next: the QR code or Meta's side. */
export function ConnectionForm({ connection, first, isGone, queues, desk, onClose }: ConnectionFormProps) {
  const t = useTexts('connections')
  const hasToken = connection?.hasToken ?? false
  const form = useForm<Fields, Connection>({
    texts: 'connections',
    keptAs: `connections/${connection?.id ?? 'new'}`,
    start: connection
      ? fieldsOf(connection)
      : emptyFields(first, { npsMessage: t('form.npsDefault'), npsTksMessage: t('form.npsThanksDefault') }),
    now: connection ? fieldsOf(connection) : undefined,
    version: connection?.version,
    isGone,
    isNew: connection === null,
    faultsOf: fields => faultsOf(fields, { hasToken }),
    fieldOf: {
      ERR_WAPP_GREETING_REQUIRED: 'greetingMessage',
      ERR_WAPP_NAME_ALREADY_EXISTS: 'name',
      ERR_NO_OTHER_WHATSAPP: 'isDefault',
    },
    save: (fields, _progress, version) =>
      connection
        ? api('PUT /whatsapp/:id', {
            params: { id: connection.id },
            body: { ...editBodyOf(fields), version },
          })
        : api('POST /whatsapp', { body: bodyOf(fields) }),
    async onSaved(saved) {
      desk.put(saved)
      // Another connection may have lost its default flag.
      desk.reload()
      if (connection) {
        toast.success(t('saved'))
        return onClose()
      }
      desk.open({ kind: saved.capabilities.webhook ? 'webhook' : 'qr', id: saved.id })
      if (saved.capabilities.pair.includes('qr')) desk.put(await startSession(saved.id))
    },
  })
  const { fields } = form
  const own = KIND_TABLE[fields.api].fields
  const needsGreeting = fields.queueIds.length > 1
  return (
    <FormDialog
      form={form}
      title={connection ? t('form.editTitle', { name: connection.name }) : t('form.addTitle')}
      intro={connection ? t('form.locked') : undefined}
      docked
      action={t(connection ? 'form.save' : 'form.create')}
      onClose={onClose}
    >
      <FormSection title={t('form.sectionBasics')}>
        <FormField form={form} name="name" hint={connection ? '' : undefined} required>
          {field => (
            <TextInput
              {...field}
              disabled={connection !== null}
              autoComplete="off"
              data-autofocus={connection ? undefined : ''}
            />
          )}
        </FormField>
        <KindChoice value={fields.api} onChange={kind => form.set('api', kind)} locked={connection !== null} />
        <FormField form={form} name="queueIds" hint={queues.length === 0 ? t('form.noQueues') : undefined}>
          {field => (
            <MultiSelect
              {...field}
              options={queues.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
              disabled={queues.length === 0}
            />
          )}
        </FormField>
        <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
          {(['isDefault', 'nps'] as const).map(name => (
            <Switch
              key={name}
              label={t(`form.${name}`)}
              hint={form.errorOf(name) ?? t(`form.${name}Hint`)}
              checked={fields[name]}
              onChange={is => form.set(name, is)}
            />
          ))}
        </div>
      </FormSection>
      {own.length > 0 && (
        <FormSection title={t('form.sectionMeta')}>
          {own.map(field => (
            <OwnField key={field.name} form={form} field={field} isKept={hasToken} />
          ))}
          {connection && <WebhookFacts webhookUrl={connection.webhookUrl} />}
        </FormSection>
      )}
      <FoldedSection title={t('form.sectionMessages')} open={needsGreeting || MESSAGES.some(form.errorOf)}>
        <div className="grid gap-4 sm:grid-cols-2">
          {MESSAGES.map(name => (
            <FormField key={name} form={form} name={name} required={name === 'greetingMessage' && needsGreeting}>
              {field => <TextArea {...field} maxRows={6} />}
            </FormField>
          ))}
        </div>
      </FoldedSection>
      <FoldedSection title={t('form.sectionBot')} open={FLOW.some(name => form.errorOf(name) !== null)}>
        <FormField form={form} name="publicDNSTypebot">
          {field => <TextInput {...field} type="url" placeholder="https://" maxLength={500} />}
        </FormField>
        <FormField form={form} name="publicIDTypebot">
          {field => <TextInput {...field} autoComplete="off" maxLength={200} />}
        </FormField>
      </FoldedSection>
      <DailyCap form={form} />
      <FoldedSection title={t('form.sectionTry')} open={false} lazy>
        <div className="max-w-full justify-self-center">
          <CompanyTryIt connection={fields} />
        </div>
      </FoldedSection>
    </FormDialog>
  )
}

interface OwnFieldProps {
  readonly form: Form<Fields>
  readonly field: KindField
  /** A secret is kept already: empty keeps it. */
  readonly isKept: boolean
}

/** A field of a kind's own. A stored secret is never shown again. */
function OwnField({ form, field: { name, type, required }, isKept }: OwnFieldProps) {
  const t = useTexts('connections')
  if (name === 'metaIntegration')
    return <Switch label={t(`form.${name}`)} checked={form.fields[name]} onChange={is => form.set(name, is)} />
  const isSecret = type === 'secret'
  return (
    <FormField
      form={form}
      name={name}
      hint={isSecret ? t(isKept ? 'form.tokenKeep' : 'form.tokenHint') : undefined}
      required={required && !(isSecret && isKept)}
    >
      {field =>
        isSecret ? (
          <PasswordInput {...field} autoComplete="off" maxLength={2000} />
        ) : (
          <TextInput {...field} inputMode="numeric" autoComplete="off" maxLength={64} />
        )
      }
    </FormField>
  )
}

interface KindChoiceProps {
  readonly value: Kind
  readonly onChange: (kind: Kind) => void
  readonly locked: boolean
}

function KindChoice({ value, onChange, locked }: KindChoiceProps) {
  const t = useTexts('connections')
  const kinds = locked ? [value] : KINDS.filter(kind => KIND_TABLE[kind].offered)
  return (
    <fieldset className="m-0 border-0 p-0">
      <legend className="b-label mb-1.5 p-0">{t('form.api')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map(kind => (
          <label
            key={kind}
            className={classes(
              'flex gap-2.5 rounded-field border p-3 has-focus-visible:outline-2 has-focus-visible:outline-focus',
              kind === value ? 'border-primary bg-primary-tint' : 'border-line-strong bg-surface hover:bg-hover',
              !locked && 'cursor-pointer',
            )}
          >
            <input
              type="radio"
              name="api"
              value={kind}
              checked={kind === value}
              disabled={locked}
              onChange={() => onChange(kind)}
              className="mt-0.5 size-4 flex-none accent-primary outline-none"
            />
            <span className="min-w-0">
              <span className="block text-body font-semibold text-ink">{KIND_TABLE[kind].label}</span>
              {!locked && <span className="text-small text-text-2">{t(`form.apiHint.${kind}`)}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
