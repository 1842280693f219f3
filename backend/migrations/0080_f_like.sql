-- A LIKE pattern for a text anywhere in one that was folded. Its wildcards are escaped after it is folded: folding makes some, of ％ and ＿.
CREATE FUNCTION f_like(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN '%' || replace(replace(replace(f_norm(t), '\', '\\'), '%', '\%'), '_', '\_') || '%';
