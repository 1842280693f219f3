import type { TagRow, TagWithContacts } from '@balcao/contract'
import { tagRules } from '@balcao/contract/kit/forms'
import { LIMITS } from '@balcao/contract/kit/limits'
import { MOST_TAGGED } from '@balcao/contract/tags/tag'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { Chip, HeldLetters, TextInput } from '@balcao/ui/parts'
import {
  ColorField,
  FormDialog,
  FormField,
  findContacts,
  Picker,
  type RowFormProps,
  useDialogData,
  useRowForm,
} from '@balcao/ui/screens'
import { toBody, toFields } from './form.ts'

/** Adds or changes a tag (spec 3 §2, §5): first it is looked who has it. */
export function TagForm(props: RowFormProps<TagRow>) {
  const { row, onClose } = props
  const load = (signal: AbortSignal) => api('GET /tag/:id', { params: { id: row?.id ?? 0 }, signal })
  const tag = useDialogData(row && `tag ${row.id}`, load, onClose).last
  if (row && !tag) return <HeldLetters />
  return <OpenForm {...props} tag={tag} />
}

function OpenForm({ tag, ...props }: RowFormProps<TagRow> & { readonly tag: TagWithContacts | null }) {
  const { row, onClose } = props
  const t = useTexts('tags')
  const contacts = tag?.contacts ?? []
  const isTold = contacts.length === (tag?.contactsCount ?? 0)
  const form = useRowForm({
    ...props,
    texts: 'tags',
    fieldsOf: now => toFields(now, contacts),
    rules: tagRules,
    save(fields, _progress, version, clientId, base) {
      const { name, color } = fields
      if (!row)
        return api('POST /tag', { body: { name, color, clientId, contacts: fields.contacts.map(({ id }) => id) } })
      return api('PUT /tag/:id', {
        params: { id: row.id },
        body: { ...toBody(fields, isTold ? base.contacts : null), version },
      })
    },
  })
  const { name, color } = form.fields
  return (
    <FormDialog form={form} onClose={onClose} aside={name.trim() && <Chip color={color}>{name.trim()}</Chip>}>
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} autoComplete="off" maxLength={LIMITS.tagName[1]} data-autofocus="" />}
      </FormField>
      <FormField form={form} name="color" required>
        {field => <ColorField {...field} />}
      </FormField>
      {isTold ? (
        <FormField form={form} name="contacts" hint={t('form.chosen', { count: form.fields.contacts.length })}>
          {field => <Picker {...field} many find={findContacts} />}
        </FormField>
      ) : (
        <p className="m-0 text-cell text-text-2">
          {t('form.tooMany', { count: tag?.contactsCount, most: MOST_TAGGED })}
        </p>
      )}
    </FormDialog>
  )
}
