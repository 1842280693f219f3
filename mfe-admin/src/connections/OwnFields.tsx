import { KIND_TABLE, type KindField } from '@balcao/contract/connections/kinds'
import { useTexts } from '@balcao/ui/i18n'
import { PasswordInput, Switch, TextInput } from '@balcao/ui/parts'
import { type Form, FormField, FormSection } from '@balcao/ui/screens'
import type { ReactNode } from 'react'
import type { ConnectionFields } from './form.ts'

interface OwnFieldsProps {
  readonly form: Form<ConnectionFields>
  /** A secret is kept already: empty keeps it. */
  readonly isKept: boolean
  readonly children?: ReactNode
}

/** The fields that are the chosen kind's own; nothing where it has none. */
export function OwnFields({ form, isKept, children }: OwnFieldsProps) {
  const t = useTexts('connections')
  const own = KIND_TABLE[form.fields.api].fields
  if (own.length === 0) return null
  return (
    <FormSection title={t('form.sectionMeta')}>
      {own.map(field => (
        <OwnField key={field.name} form={form} field={field} isKept={isKept} />
      ))}
      {children}
    </FormSection>
  )
}

interface OwnFieldProps extends Pick<OwnFieldsProps, 'form' | 'isKept'> {
  readonly field: KindField
}

/** A stored secret is never shown again. */
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
