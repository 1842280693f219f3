import { showErrorToast, useTags } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Segments } from '@balcao/ui/parts'
import { CheckChips } from '@balcao/ui/screens'
import { useState } from 'react'
import { BulkForm, type BulkProps } from './BulkForm.tsx'

const WAYS = ['tag', 'untag'] as const

/** Puts tags on the chosen contacts, or takes them off. */
export function BulkTags(props: BulkProps) {
  const t = useTexts('contact-sheets')
  const { last: tags } = useTags(showErrorToast)
  const [action, setAction] = useState<(typeof WAYS)[number]>('tag')
  const [tagIds, setTagIds] = useState<readonly number[]>([])
  const count = props.several.count ?? 0
  return (
    <BulkForm
      {...props}
      title={t('bulk.tags.title')}
      action={t(count > 0 ? `bulk.tags.${action}Count` : `bulk.tags.${action}`, { count })}
      act={tagIds.length > 0 ? { action, tagIds: [...tagIds] } : null}
    >
      <Segments
        label={t('bulk.tags.way')}
        tabs={WAYS.map(id => ({ id, label: t(`bulk.tags.${id}`) }))}
        chosen={action}
        onChoose={setAction}
      />
      {tags && tags.length === 0 ? (
        <p className="m-0 text-cell text-text-2">{t('bulk.tags.none')}</p>
      ) : (
        <CheckChips
          label={t('bulk.tags.which')}
          options={(tags ?? []).map(({ id, name, color }) => ({ value: id, label: name, color }))}
          value={tagIds}
          onChange={setTagIds}
        />
      )}
    </BulkForm>
  )
}
