import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { TextInput } from '@balcao/ui/parts'
import { FoldedSection, type Form, FormField } from '@balcao/ui/screens'
import { useSetting } from '@balcao/ui/session'
import type { ConnectionFields } from './form.ts'

/** How many messages of sends this connection takes in a day (decisions-2 §15, §22): its own number, or as the setting says. */
export function DailyCap({ form }: { readonly form: Form<ConnectionFields> }) {
  const t = useTexts('connections')
  const usual = useSetting('dailyCap')
  const { api } = form.fields
  const isOfficial = KIND_TABLE[api].can.window24h
  return (
    <FoldedSection title={t('form.sectionSends')} open={form.errorOf('dailyCap') !== null}>
      <FormField
        form={form}
        name="dailyCap"
        hint={isOfficial ? t('form.dailyCapOfficial') : t('form.dailyCapUsual', { most: formatNumber(usual) })}
      >
        {({ value, onChange, ...field }) => (
          <TextInput
            {...field}
            inputMode="numeric"
            autoComplete="off"
            maxLength={7}
            className="w-36"
            value={value === null ? '' : String(value)}
            onChange={text => onChange(parseCount(text))}
            after={<span className="text-small text-muted">{t('form.perDay')}</span>}
          />
        )}
      </FormField>
    </FoldedSection>
  )
}

/** The digits somebody typed; none is no number of its own. */
function parseCount(text: string): number | null {
  const digits = text.replace(/\D/g, '')
  return digits === '' ? null : Number(digits)
}
