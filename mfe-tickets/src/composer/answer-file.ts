// The file of a quick answer, as one that was attached by hand.

/** Null where it cannot be had: no line, or it is no longer there. */
export async function fetchAnswerFile(url: string, name: string | null): Promise<File | null> {
  try {
    const response = await fetch(url)
    if (!response.ok) return null
    const blob = await response.blob()
    return new File([blob], name ?? 'arquivo', { type: blob.type })
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return null
    throw error
  }
}
