/// Who may write and read single rows, by rules that belong to a space.
///
/// A rule says where a row has the name of its owner and those of its readers: in its key, or in a field of its object. A name belongs to
/// a role. A trigger checks each change of a row, so it does not matter which program sends it, or which release's `yap.push` writes it;
/// and a restrictive policy hides rows from others than their readers, so it does not matter how they are asked for. An earlier
/// release's `yap server init` replaces neither.
///
/// - `owner`, `readers`: `/` for the key (an owner stands before its first slash, readers after it), or the name of a field.
/// - Readers are names with `&` between them. What begins with `#` is for everyone who may read the collection. They never change: a host that
///   had the row could not be told of its removal.
/// - `shared`: the fields that others than the owner may set, to values of the same kind. `signed`: lists of names by key; others add and
///   remove their own names. `acknowledged`: lists of names, from which others remove their own.
/// - `removal`: when others may remove a row: never (null), `*` always, `#` if it is for everyone, or the field that names no others.
///
/// Who may act as the owner of the tables is not checked. A column of readers, null for everyone, is kept with each row.
extension SchemaStep {
    static let rules = SchemaStep(
        "restrictive policies and triggers", lack: "spaces have no rules for single rows",
        ruleTables + ";" + ruleFunctions.sql)

    static let ruleFunctions = SchemaStep(
        "functions in PL/pgSQL with JSON", lack: "spaces have no rules for single rows",
        ([ObjectSQL.number, ObjectSQL.text, ObjectSQL.propertyList, ObjectSQL.fields]
            + [readers, signedNames, refuse, guardChanges, noteRights, setName, applyRules, rightsOfFunctions])
            .joined(separator: ";\n"))

    private static let ruleTables = """
        CREATE TABLE IF NOT EXISTS yap.participant (space int8 NOT NULL REFERENCES yap.space ON DELETE CASCADE, name text NOT NULL,
          role name NOT NULL, PRIMARY KEY (space, name));
        CREATE TABLE IF NOT EXISTS yap.rule (space int8 NOT NULL REFERENCES yap.space ON DELETE CASCADE, collection bytea NOT NULL,
          owner text, readers text, shared text[] NOT NULL, signed text[] NOT NULL, acknowledged text[] NOT NULL,
          others_insert boolean NOT NULL, removal text,
          PRIMARY KEY (space, collection));
        ALTER TABLE yap.row ADD COLUMN IF NOT EXISTS readers text[];
        ALTER TABLE yap.participant ENABLE ROW LEVEL SECURITY;
        ALTER TABLE yap.rule ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS member ON yap.participant;
        CREATE POLICY member ON yap.participant FOR SELECT USING (yap.is_member(role));
        DROP POLICY IF EXISTS member ON yap.rule;
        CREATE POLICY member ON yap.rule FOR SELECT USING
          (EXISTS (SELECT FROM yap.access a WHERE a.space = rule.space AND a.can_read AND yap.is_member(a.role)));
        DROP POLICY IF EXISTS readers ON yap.row;
        CREATE POLICY readers ON yap.row AS RESTRICTIVE FOR SELECT USING (readers IS NULL OR EXISTS
          (SELECT FROM yap.participant p WHERE p.space = "row".space AND p.name = ANY ("row".readers) AND yap.is_member(p.role)));
        GRANT SELECT ON yap.participant, yap.rule TO PUBLIC
        """

    private static let rightsOfFunctions = """
        REVOKE ALL ON FUNCTION yap.set_name(text, name, text, boolean), yap.note_rights(int8, name), yap.apply_rules(int8) FROM PUBLIC
        """

    /// Whether a server knows rules.
    static let hasRules = "SELECT to_regclass('yap.rule') IS NOT NULL"

    /// Makes the check of each change. Only servers with a rule have it: it costs each row a little.
    ///
    /// One that is right stays: to drop it would wait for those who read, and all others for that.
    static let trigger = """
        DROP TRIGGER IF EXISTS guard ON yap.row;
        CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON yap.row FOR EACH ROW EXECUTE FUNCTION yap.guard_changes()
        """

    static let hasTrigger = """
        SELECT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = to_regclass('yap.row') AND t.tgname = 'guard' AND t.tgenabled = 'O'
          AND t.tgfoid = to_regproc('yap.guard_changes') AND t.tgtype = 23)
        """

    /// The readers of a row; null for everyone.
    private static let readers = """
        CREATE OR REPLACE FUNCTION yap.readers_of(place text, row_key text, fields jsonb) RETURNS text[]
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          names text := CASE WHEN place = '/' THEN substr(row_key, strpos(row_key, '/') + 1) ELSE fields ->> place END;
        BEGIN
          IF place IS NULL OR names LIKE '#%' THEN
            RETURN NULL;
          END IF;
          RETURN COALESCE(string_to_array(names, '&'), '{}');
        END $body$;
        CREATE OR REPLACE FUNCTION yap.readers_if_any(place text, row_key bytea, object bytea) RETURNS text[]
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
        BEGIN
          RETURN yap.readers_of(place, convert_from(row_key, 'UTF8'), yap.fields(object));
        EXCEPTION WHEN OTHERS THEN
          RETURN '{}';
        END $body$
        """

    /// The names of a list, or of lists by key, each with its key.
    private static let signedNames = """
        CREATE OR REPLACE FUNCTION yap.signed_names(value jsonb, OUT place text, OUT name text) RETURNS SETOF record
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
        BEGIN
          IF jsonb_typeof(value) = 'array' THEN
            RETURN QUERY SELECT '', e FROM jsonb_array_elements_text(value) e;
          ELSIF jsonb_typeof(value) = 'object' THEN
            RETURN QUERY SELECT l.key, e FROM jsonb_each(value) l, jsonb_array_elements_text(l.value) e;
          ELSIF value IS NOT NULL THEN
            RETURN QUERY SELECT '', value::text;
          END IF;
        END $body$;
        CREATE OR REPLACE FUNCTION yap.new_names(before jsonb, after jsonb) RETURNS SETOF text
        LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
          SELECT n.name FROM (SELECT * FROM yap.signed_names(after) EXCEPT ALL SELECT * FROM yap.signed_names(before)) n
        $body$
        """

    private static let refuse = """
        CREATE OR REPLACE FUNCTION yap.refuse(collection bytea, row_key text, what text) RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
        BEGIN
          RAISE EXCEPTION 'the role % % (%the collection "%")', session_user, what, COALESCE('row "' || row_key || '" of ', ''),
            convert_from(collection, 'UTF8') USING ERRCODE = '\(YapDatabaseServerRule.refusal)';
        END $body$
        """

    private static let guardChanges = """
        CREATE OR REPLACE FUNCTION yap.guard_changes() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          rule yap.rule;
          names text[];
          row_key text;
          is_new boolean := TG_OP = 'INSERT' OR OLD.gone;
          before jsonb;
          after jsonb;
          owner_before text;
          owner_after text;
          is_same_format boolean;
          field text;
        BEGIN
          SELECT * INTO rule FROM yap.rule r WHERE r.space = NEW.space AND r.collection = NEW.collection;
          IF NOT FOUND THEN
            RETURN NEW;
          END IF;
          -- An insertion that meets a row becomes a change of it, which is checked as such.
          IF TG_OP = 'INSERT' AND EXISTS
            (SELECT FROM yap.row r WHERE r.space = NEW.space AND r.collection = NEW.collection AND r.key = NEW.key) THEN
            RETURN NEW;
          END IF;
          IF NEW.gone AND NOT is_new THEN
            NEW.readers := OLD.readers;
          END IF;
          IF EXISTS (SELECT FROM pg_class c WHERE c.oid = 'yap.row'::regclass AND pg_has_role(session_user, c.relowner, 'MEMBER')) THEN
            IF NOT NEW.gone THEN
              NEW.readers := yap.readers_if_any(rule.readers, NEW.key, NEW.object);
            END IF;
            RETURN NEW;
          END IF;
          row_key := convert_from(NEW.key, 'UTF8');
          IF NOT NEW.gone THEN
            after := yap.fields(NEW.object);
            NEW.readers := yap.readers_of(rule.readers, row_key, after);
            owner_after := CASE WHEN rule.owner = '/' THEN split_part(row_key, '/', 1) ELSE after ->> rule.owner END;
          END IF;
          SELECT COALESCE(array_agg(p.name), '{}') INTO names FROM yap.participant p WHERE p.space = NEW.space AND yap.is_member(p.role);
          IF TG_OP = 'UPDATE' AND OLD.readers IS NOT NULL AND NOT OLD.readers && names THEN
            -- To clear a collection must not tell the keys of others' rows.
            PERFORM yap.refuse(NEW.collection, CASE WHEN NOT NEW.gone THEN row_key END, 'may not write what only others may read');
          ELSIF NEW.readers IS NOT NULL AND NOT NEW.readers && names THEN
            PERFORM yap.refuse(NEW.collection, row_key, 'may not write what only others may read');
          END IF;
          IF TG_OP = 'UPDATE' AND NEW.readers IS DISTINCT FROM OLD.readers THEN
            PERFORM yap.refuse(NEW.collection, row_key, 'may not change who reads a row');
          END IF;
          IF rule.owner IS NULL OR is_new AND NEW.gone THEN
            RETURN NEW;
          END IF;
          IF NOT is_new THEN
            before := yap.fields(OLD.object);
            -- The fields of two formats may be alike while a client that reads the one does not read the other.
            is_same_format := NEW.gone OR (substr(OLD.object, 1, 8) = 'bplist00') = (substr(NEW.object, 1, 8) = 'bplist00');
            owner_before := CASE WHEN rule.owner = '/' THEN split_part(row_key, '/', 1) ELSE before ->> rule.owner END;
            IF NOT COALESCE(owner_before = ANY (names), false) THEN
              IF NEW.gone THEN
                IF COALESCE(rule.removal = '*' OR rule.removal = '#' AND OLD.readers IS NULL OR before ? rule.removal AND NOT EXISTS
                  (SELECT FROM yap.signed_names(before -> rule.removal) s WHERE s.name <> ALL (names)), false) THEN
                  RETURN NEW;
                END IF;
                PERFORM yap.refuse(NEW.collection, row_key, format('may not remove what is of "%s"', owner_before));
              END IF;
              SELECT k INTO field FROM (SELECT jsonb_object_keys(before) UNION SELECT jsonb_object_keys(after)) f (k)
                WHERE before -> k IS DISTINCT FROM after -> k AND NOT COALESCE(
                  k = ANY (rule.shared) AND jsonb_typeof(COALESCE(before -> k, after -> k)) = jsonb_typeof(COALESCE(after -> k, before -> k))
                  OR k = ANY (rule.signed) AND jsonb_typeof(COALESCE(after -> k, '{}')) = 'object'
                    AND NOT EXISTS (SELECT FROM jsonb_each(COALESCE(after -> k, '{}')) l
                      WHERE l.value = '[]' AND COALESCE(before -> k -> l.key, 'null') <> '[]')
                    AND NOT EXISTS (SELECT FROM yap.new_names(before -> k, after -> k) n WHERE n <> ALL (names))
                    AND NOT EXISTS (SELECT FROM yap.new_names(after -> k, before -> k) n WHERE n <> ALL (names))
                  OR k = ANY (rule.acknowledged) AND jsonb_typeof(after -> k) = 'array'
                    AND NOT EXISTS (SELECT FROM yap.new_names(before -> k, after -> k))
                    AND NOT EXISTS (SELECT FROM yap.new_names(after -> k, before -> k) n WHERE n <> ALL (names)), false) LIMIT 1;
              IF FOUND OR NEW.metadata IS DISTINCT FROM OLD.metadata OR NOT is_same_format THEN
                PERFORM yap.refuse(NEW.collection, row_key, format('may not change "%s" of what is of "%s"',
                  CASE WHEN FOUND THEN field WHEN is_same_format THEN 'metadata' ELSE 'format' END, owner_before));
              END IF;
              RETURN NEW;
            END IF;
          END IF;
          IF NOT NEW.gone AND NOT COALESCE(owner_after = ANY (names), false) AND NOT (is_new AND rule.others_insert) THEN
            PERFORM yap.refuse(NEW.collection, row_key, format('may not write as "%s"', owner_after));
          END IF;
          RETURN NEW;
        END $body$
        """

    /// Has the files of a role, or of all, be compared with what may be read now: a commit, so that followers find it out.
    private static let noteRights = """
        CREATE OR REPLACE FUNCTION yap.note_rights(in_space int8, in_role name) RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          next int8;
        BEGIN
          UPDATE yap.space s SET number = s.number + 1 WHERE s.id = in_space RETURNING s.number INTO next;
          UPDATE yap.access a SET changed = next WHERE a.space = in_space AND (in_role IS NULL OR a.role = in_role);
          INSERT INTO yap.commit (space, number, id) VALUES (in_space, next, gen_random_uuid());
          PERFORM yap.announce(in_space, next);
        END $body$
        """

    /// Gives a name to a role, or takes it. A name has one role.
    private static let setName = """
        CREATE OR REPLACE FUNCTION yap.set_name(in_space text, in_role name, in_name text, in_is_given boolean) RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          found_space int8;
          former name;
        BEGIN
          SELECT s.id INTO found_space FROM yap.space s WHERE s.name = in_space FOR UPDATE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no space "%"', in_space USING ERRCODE = '3F000';
          END IF;
          IF in_is_given AND to_regrole(quote_ident(in_role)) IS NULL THEN
            RAISE EXCEPTION 'there is no role "%"', in_role USING ERRCODE = '42704';
          END IF;
          SELECT p.role INTO former FROM yap.participant p WHERE p.space = found_space AND p.name = in_name;
          IF FOUND AND former <> in_role THEN
            RAISE EXCEPTION 'the name "%" is of the role %; revoke it there first', in_name, former USING ERRCODE = '42710';
          END IF;
          IF FOUND = in_is_given THEN
            RETURN;
          END IF;
          IF in_is_given THEN
            INSERT INTO yap.participant (space, name, role) VALUES (found_space, in_name, in_role);
          ELSE
            DELETE FROM yap.participant p WHERE p.space = found_space AND p.name = in_name;
          END IF;
          PERFORM yap.note_rights(found_space, in_role);
        END $body$
        """

    /// Finds the readers of all rows by the rules of a space. A row whose object says none is shown to no one.
    /// - Returns: how many such rows there are.
    private static let applyRules = """
        CREATE OR REPLACE FUNCTION yap.apply_rules(in_space int8) RETURNS int8
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          hidden int8;
        BEGIN
          -- Of what is gone, the object is, too: only its key may say who could read it.
          UPDATE yap.row r SET readers = CASE WHEN r.gone AND u.readers <> '/' THEN '{}' ELSE yap.readers_if_any(u.readers, r.key, r.object) END
            FROM yap.row o LEFT JOIN yap.rule u ON u.space = o.space AND u.collection = o.collection
            WHERE o.space = in_space AND (u.readers IS NOT NULL OR o.readers IS NOT NULL)
              AND r.space = o.space AND r.collection = o.collection AND r.key = o.key;
          SELECT count(*) INTO hidden FROM yap.row r JOIN yap.rule u ON u.space = r.space AND u.collection = r.collection
            WHERE r.space = in_space AND NOT r.gone AND r.readers = '{}';
          PERFORM yap.note_rights(in_space, NULL);
          RETURN hidden;
        END $body$
        """
}
