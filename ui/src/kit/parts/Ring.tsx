const LENGTH = 2 * Math.PI * 5.5

/**
 * The part of a time that is left (0 to 1), as a ring of 14 px beside its words.
 *
 * @example <Ring share={secondsLeft / 60} />
 */
export function Ring({ share }: { readonly share: number }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="var(--b-line)" strokeWidth="2.5" />
      <circle
        cx="7"
        cy="7"
        r="5.5"
        fill="none"
        stroke="var(--b-primary)"
        strokeWidth="2.5"
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - Math.min(1, Math.max(0, share)))}
        transform="rotate(-90 7 7)"
      />
    </svg>
  )
}
