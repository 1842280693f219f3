import { TemplateField } from '@balcao/ui/forms'
import { useTexts } from '@balcao/ui/i18n'
import { Card } from '@balcao/ui/parts'
import type { Form } from '@balcao/ui/screens'
import type { SendFields } from './form.ts'

interface TemplateCardProps {
  readonly form: Form<SendFields>
  readonly whatsappId: number
}

/** Over the official API: what those get who did not write within 24 hours (decisions-2 §15, §22). */
export function TemplateCard({ form, whatsappId }: TemplateCardProps) {
  const t = useTexts('sends')
  return (
    <Card className="p-5">
      <div className="grid gap-3">
        <h2 className="m-0 text-card font-semibold">{t('template.title')}</h2>
        <TemplateField
          whatsappId={whatsappId}
          value={form.fields.template}
          error={form.errorOf('template') ?? undefined}
          onChange={template => form.set('template', template)}
        />
      </div>
    </Card>
  )
}
