// Adding or changing a contact: every field of spec 3 §2, checked by the same rules as on the server.
import { type Contact, type ContactFault, contactFaults, digitsOf, isContactProblem } from '@balcao/contract'
import type { FieldError } from '@balcao/contract/errors'
import { formatPhone } from '@balcao/contract/phone'
import { api, isApiError } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { Button, Dialog, Field, FormButtons, IconButton, Switch, TextInput, toast } from '@balcao/ui/parts'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { RedirectRows } from './RedirectRows.tsx'
import { TagChoice } from './TagRow.tsx'
import { useFormTexts } from './texts.ts'

interface ContactFormProps {
  /** The contact to change; null adds one. */
  readonly contact: Contact | null
  /** What a new one begins with. */
  readonly begins?: { readonly name?: string; readonly number?: string }
  readonly onClose: () => void
  readonly onSaved: (contact: Contact) => void
}

interface Fields {
  readonly name: string
  readonly number: string
  readonly email: string
  readonly respostaAutomatica: boolean
  readonly optedOut: boolean
  readonly tags: Contact['tags']
  readonly extraInfo: Contact['extraInfo']
  readonly redirect: readonly { readonly queueId: number | null; readonly userId: number | null }[]
}

export function ContactForm({ contact, begins, onClose, onSaved }: ContactFormProps) {
  const t = useFormTexts()
  const [fields, setFields] = useState(() => fieldsOf(contact, begins))
  const [faults, setFaults] = useState<readonly ContactFault[]>([])
  const [taken, setTaken] = useState(false)
  const [busy, during] = useBusy()
  const isGroup = contact?.isGroup ?? false

  function change(next: Partial<Fields>) {
    const now = { ...fields, ...next }
    setFields(now)
    setTaken(false)
    // What was complained about is looked at again while it is mended.
    if (faults.length > 0) setFaults(contactFaults(formOf(now, isGroup)))
  }

  function save() {
    const form = formOf(fields, isGroup)
    const found = contactFaults(form)
    setFaults(found)
    if (found.length > 0) return
    const { tags, extraInfo, redirect } = fields
    const body = { ...form, tagIds: tags.map(tag => tag.id), extraInfo: [...extraInfo], redirect: [...redirect] }
    const sent = () =>
      contact ? api('PUT /contacts/:id', { params: { id: contact.id }, body }) : api('POST /contacts', { body })
    during(async () => {
      const saved = await sent().catch(error => {
        const refused = faultsIn(error)
        setTaken(isApiError(error, 'ERR_DUPLICATED_CONTACT'))
        setFaults(refused)
        if (refused.length === 0 && !isApiError(error, 'ERR_DUPLICATED_CONTACT')) throw error
      })
      if (!saved) return
      onSaved(saved)
      toast.success(t('contact.saved'))
      onClose()
    })
  }

  function problem(path: string): string | null {
    const fault = faults.find(each => each.path === path)
    return fault ? t(`contact.problem.${fault.code}`) : null
  }

  return (
    <Dialog
      title={t(contact ? 'contact.edit' : 'contact.add')}
      width={560}
      onClose={onClose}
      onSubmit={save}
      footer={<FormButtons framed action={t('contact.save')} busy={busy} onClose={onClose} />}
    >
      <div className="h-form">
        <Field label={t('contact.name')} error={problem('name')} required>
          <TextInput value={fields.name} maxLength={50} onChange={name => change({ name })} />
        </Field>
        {!isGroup && (
          <div className="h-pair">
            <Field
              label={t('contact.number')}
              error={taken ? t('contact.taken') : problem('number')}
              hint={t('contact.numberHint')}
              required
            >
              <TextInput
                type="tel"
                inputMode="tel"
                value={fields.number}
                maxLength={60}
                onChange={number => change({ number })}
              />
            </Field>
            <Field label={t('contact.email')} error={problem('email')}>
              <TextInput
                type="email"
                value={fields.email}
                maxLength={254}
                autoComplete="off"
                onChange={email => change({ email })}
              />
            </Field>
          </div>
        )}
        <Switch
          label={t('contact.answers')}
          hint={t('contact.answersHint')}
          checked={fields.respostaAutomatica}
          onChange={respostaAutomatica => change({ respostaAutomatica })}
        />
        <Switch
          label={t('contact.optedOut')}
          hint={t('contact.optedOutHint')}
          checked={fields.optedOut}
          onChange={optedOut => change({ optedOut })}
        />
        <fieldset className="h-rows">
          <legend className="b-label">{t('contact.tags')}</legend>
          <TagChoice tags={fields.tags} onChange={tags => change({ tags: [...tags] })} />
        </fieldset>
        <ExtraRows rows={fields.extraInfo} problem={problem} onChange={extraInfo => change({ extraInfo })} />
        {!isGroup && (
          <RedirectRows rows={fields.redirect} problem={problem} onChange={redirect => change({ redirect })} />
        )}
      </div>
    </Dialog>
  )
}

interface ExtraRowsProps {
  readonly rows: Contact['extraInfo']
  readonly problem: (path: string) => string | null
  readonly onChange: (rows: Contact['extraInfo']) => void
}

/** More about the person, in the team's own words: birthday, address, customer since. */
function ExtraRows({ rows, problem, onChange }: ExtraRowsProps) {
  const t = useFormTexts()
  const put = (at: number, change: Partial<Contact['extraInfo'][number]>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...change } : row)))
  return (
    <fieldset className="h-rows">
      <legend className="b-label">{t('contact.extra')}</legend>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="h-row">
          <Field label={t('contact.extraName')} error={problem(`extraInfo/${at}/name`)}>
            <TextInput
              value={row.name}
              maxLength={100}
              placeholder={t('contact.extraExample')}
              onChange={name => put(at, { name })}
            />
          </Field>
          <Field label={t('contact.extraValue')}>
            <TextInput value={row.value} maxLength={1000} onChange={value => put(at, { value })} />
          </Field>
          <IconButton
            icon={Trash2}
            label={t('contact.extraRemove', { name: row.name || at + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => onChange([...rows, { name: '', value: '' }])}>
        {t('contact.extraAdd')}
      </Button>
    </fieldset>
  )
}

function fieldsOf(contact: Contact | null, begins: ContactFormProps['begins']): Fields {
  return {
    name: contact?.name ?? begins?.name ?? '',
    number: contact?.number ? formatPhone(contact.number) : (begins?.number ?? ''),
    email: contact?.email ?? '',
    respostaAutomatica: contact?.respostaAutomatica ?? true,
    optedOut: contact ? contact.optedOutAt !== null : false,
    tags: contact?.tags ?? [],
    extraInfo: contact?.extraInfo ?? [],
    redirect: contact?.redirect ?? [],
  }
}

function formOf(fields: Fields, isGroup: boolean) {
  const { name, number, email, tags: _, ...rest } = fields
  return isGroup ? { name, ...rest } : { name, number: digitsOf(number), email: email.trim(), ...rest }
}

/** What only the server knows to be wrong: somebody who does not have the queue. */
function faultsIn(error: unknown): ContactFault[] {
  if (!isApiError(error, 'ERR_VALIDATION') || !Array.isArray(error.details)) return []
  const details: readonly FieldError[] = error.details
  return details.flatMap(({ path, code = '' }) => (isContactProblem(code) ? [{ path, code }] : []))
}
