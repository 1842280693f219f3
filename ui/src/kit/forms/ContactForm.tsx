// Adding or changing a contact: every field of spec 3 §2, checked by the same rules as on the server.

import { type Contact, validateContact } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { describeFault } from '@balcao/ui/catalogue'
import { Switch, TextInput } from '@balcao/ui/parts'
import { type Form, FormDialog, FormField, useRowForm } from '../screens/index.ts'
import { ExtraRows } from './ExtraRows.tsx'
import { RedirectRows } from './RedirectRows.tsx'
import { TagChoice } from './TagRow.tsx'
import { CONTACT_TEXTS, useContactTexts } from './texts.ts'
import { useHeldContact } from './use-held-contact.ts'

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

/** What a colleague saves meanwhile is told and can be taken over; who began from an older contact overwrites nothing (decisions-2 §22). */
export function ContactForm({ contact, begins, onClose, onSaved }: ContactFormProps) {
  const t = useContactTexts()
  const isGroup = contact?.isGroup ?? false
  const rows = useHeldContact(contact, onSaved)
  const form = useRowForm<Fields, Contact, Record<never, never>>({
    ...{ row: contact, rows, onClose, texts: CONTACT_TEXTS },
    // What a new one begins with says which one it is.
    keptAs: `${CONTACT_TEXTS}/${contact?.id ?? JSON.stringify(begins ?? 'new')}`,
    fieldsOf: now => toFields(now, begins),
    // Of each field the first: rows say which of them it is.
    faultsOf: fields =>
      Object.fromEntries(
        validateContact(toContactForm(fields, isGroup))
          .reverse()
          .map(({ path, code }) => [path.split('/', 1).join(), `contact.${code}`]),
      ),
    fieldOf: { ERR_DUPLICATED_CONTACT: 'number' },
    save(fields, _progress, version, clientId) {
      const { tags, extraInfo, redirect } = fields
      const lists = { tagIds: tags.map(tag => tag.id), extraInfo: [...extraInfo], redirect: [...redirect] }
      const body = { ...toContactForm(fields, isGroup), ...lists }
      if (!contact) return api('POST /contacts', { body: { ...body, clientId } })
      return api('PUT /contacts/:id', { params: { id: contact.id }, body: { ...body, version } })
    },
  })
  const problem = findRowProblems(form)
  return (
    <FormDialog form={form} width={560} onClose={onClose}>
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} maxLength={LIMITS.contactName[1]} data-autofocus="" />}
      </FormField>
      {!isGroup && (
        <div className="h-pair">
          <FormField form={form} name="number" required>
            {field => <TextInput {...field} type="tel" inputMode="tel" maxLength={60} />}
          </FormField>
          <FormField form={form} name="email">
            {field => <TextInput {...field} type="email" maxLength={254} autoComplete="off" />}
          </FormField>
        </div>
      )}
      {(['respostaAutomatica', 'optedOut'] as const).map(name => (
        <Switch
          key={name}
          label={t(`form.${name}`)}
          hint={t(`form.${name}Hint`)}
          checked={form.fields[name]}
          onChange={on => form.set(name, on)}
        />
      ))}
      <fieldset className="h-rows">
        <legend className="b-label">{t('form.tags')}</legend>
        <TagChoice tags={form.fields.tags} onChange={tags => form.set('tags', [...tags])} />
      </fieldset>
      <ExtraRows
        rows={form.fields.extraInfo}
        problem={problem}
        onChange={extraInfo => form.set('extraInfo', extraInfo)}
      />
      {!isGroup && (
        <RedirectRows rows={form.fields.redirect} problem={problem} onChange={rows => form.set('redirect', rows)} />
      )}
    </FormDialog>
  )
}

/** What is wrong with single rows, once it is told at all; what only the server knows of one stands at the first of them. */
function findRowProblems(form: Form<Fields>): (path: string) => string | null {
  const faults = validateContact(toContactForm(form.fields, false))
  return path => {
    const [name] = path.split('/')
    const problem = name === 'extraInfo' || name === 'redirect' ? form.errorOf(name) : null
    if (problem === null) return null
    const fault = faults.find(each => each.path === path)
    if (fault) return describeFault(`contact.${fault.code}`)
    return faults.some(each => each.path.startsWith(`${name}/`)) || !path.startsWith(`${name}/0`) ? null : problem
  }
}

function toFields(contact: Contact | null, begins: ContactFormProps['begins']): Fields {
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

/** What the rules are asked about. */
function toContactForm({ name, number, email, tags: _, ...rest }: Fields, isGroup: boolean) {
  return isGroup ? { name, ...rest } : { name, number: number.trim(), email: email.trim(), ...rest }
}
