// What stands under the last row: more comes, more did not come, or that was all.
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button } from '@balcao/ui/parts'

interface ListFootProps {
  readonly list: { readonly loadingMore: boolean; readonly hasMore: boolean; readonly error: unknown }
  readonly onMore: () => void
}

export function ListFoot({ list, onMore }: ListFootProps) {
  const t = useTexts('tickets')
  const ui = useTexts('ui')
  if (list.loadingMore)
    return (
      <p className="t-foot" role="status">
        {t('list.more')}
      </p>
    )
  if (list.error)
    return (
      <div className="t-foot" role="status">
        <p>{describeError(list.error)}</p>
        <Button kind="plain" onClick={onMore}>
          {ui('retry')}
        </Button>
      </div>
    )
  return <p className="t-foot">{list.hasMore ? '' : t('list.end')}</p>
}
