extension SchemaStep {
    static let functions = [
        SchemaStep("functions in PL/pgSQL with arrays, locks of rows and ON CONFLICT", push),
        SchemaStep("functions in PL/pgSQL", hold),
        SchemaStep("functions in PL/pgSQL", seen),
        SchemaStep("functions in PL/pgSQL", grant),
        SchemaStep("functions in PL/pgSQL", mutate),
        SchemaStep(
            "rights of functions",
            """
            REVOKE ALL ON FUNCTION yap.grant(text, name, bytea, boolean, boolean) FROM PUBLIC;
            GRANT EXECUTE ON FUNCTION yap.push(int8, int8, uuid, uuid, int8, bytea[], bytea[], int4[], bytea[], bytea[]),
              yap.hold(int8), yap.seen(int8, uuid, int8),
              yap.mutate(int8, int8, uuid, uuid, int8, bytea[], bytea[], int4[], bytea[], bytea[]) TO PUBLIC
            """),
        SchemaStep(
            "LISTEN and NOTIFY", lack: "hosts ask for new commits from time to time",
            """
            CREATE OR REPLACE FUNCTION yap.announce(space int8, number int8) RETURNS void LANGUAGE sql AS
            $$ SELECT pg_catalog.pg_notify('yap_' || $1, $2::text) $$
            """),
    ]

    /// Takes the space's row, so that the order of numbers is the order of commits; then an id that it knows gets its
    /// old answer.
    ///
    /// Kinds: 1 object, 2 metadata, 4 new, 8 gone, 16 the collection is cleared first, 32 all collections are.
    private static let push = """
        CREATE OR REPLACE FUNCTION yap.announce(space int8, number int8) RETURNS void LANGUAGE sql AS $$ SELECT $$;
        CREATE OR REPLACE FUNCTION yap.push(in_space int8, in_base int8, in_base_id uuid, in_id uuid, in_mode int8,
          in_collections bytea[], in_keys bytea[], in_kinds int4[], in_objects bytea[], in_metadatas bytea[],
          OUT result int8, OUT number int8)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
        #variable_conflict use_column
        DECLARE
          at_number int8;
          at_floor int8;
          old record;
          refused bytea;
          next int8;
          kinds int4;
          is_long boolean;
          is_sound boolean;
          has_metadata_only boolean;
          bytes int8;
        BEGIN
          SELECT s.number, s.floor INTO at_number, at_floor FROM yap.space s WHERE s.id = in_space AND EXISTS
            (SELECT FROM yap.access a WHERE a.space = in_space AND a.can_write AND yap.is_member(a.role)) FOR UPDATE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'the role % may not write in this space', session_user USING ERRCODE = '42501';
          END IF;
          SELECT c.number, c.is_void INTO old FROM yap.commit c WHERE c.id = in_id AND c.space = in_space;
          IF FOUND THEN
            result := CASE WHEN old.is_void THEN 4 ELSE 0 END;
            number := old.number;
            RETURN;
          END IF;
          next := at_number + 1;
          IF in_mode = 2 THEN
            INSERT INTO yap.commit (space, number, id, is_void) VALUES (in_space, next, in_id, true);
            UPDATE yap.space s SET number = next WHERE s.id = in_space;
            PERFORM yap.announce(in_space, next);
            result := 4;
            number := next;
            RETURN;
          END IF;
          number := at_number;
          IF in_base > at_number OR in_base < at_floor OR (in_base > 0 AND NOT EXISTS
            (SELECT FROM yap.commit c WHERE c.space = in_space AND c.number = in_base AND c.id = in_base_id)) THEN
            result := 2;
            RETURN;
          END IF;
          -- Each statement costs about as much as a row, so few are run for a transaction that needs no more.
          -- What no client sends could stop every follower: names that are not text, rows without an object, values that are too
          -- large. A removal or a clearing has no values, a change has those that its kind names, a new row has an object.
          SELECT COALESCE(bit_or(w.kind), 0), bool_or(length(w.collection) > \(ServerLimits.name) OR length(w.key) > \(ServerLimits.name)),
              bool_or(w.kind = 2), bool_and(COALESCE(convert_from(w.collection, 'UTF8') IS NOT NULL AND convert_from(w.key, 'UTF8') IS NOT NULL
                AND (w.kind BETWEEN 1 AND 7 OR w.kind IN (8, 16, 32)) AND (w.kind & 5 <> 0 AND w.kind < 8) = (w.object IS NOT NULL)
                AND ((w.kind & 6 <> 0 AND w.kind < 8) OR w.metadata IS NULL), false)),
              sum(length(w.collection) + length(w.key) + COALESCE(length(w.object), 0) + COALESCE(length(w.metadata), 0) + 32)
            INTO kinds, is_long, has_metadata_only, is_sound, bytes
            FROM unnest(in_collections, in_keys, in_kinds, in_objects, in_metadatas) w (collection, key, kind, object, metadata);
          IF is_sound IS NOT TRUE OR in_id IS NULL OR COALESCE(in_mode NOT IN (0, 1), true) THEN
            RAISE EXCEPTION 'a transaction has a row that no client of this library sends' USING ERRCODE = '22023';
          END IF;
          IF bytes > \(ServerLimits.transaction) THEN
            RAISE EXCEPTION 'a transaction has more than \(ServerLimits.transaction >> 20) MB' USING ERRCODE = '54000';
          END IF;
          IF at_number <> in_base THEN
            IF in_mode <> 1 OR kinds & 48 <> 0 OR EXISTS
              (SELECT FROM unnest(in_collections, in_keys, in_kinds) w (collection, key, kind)
                JOIN yap.row r ON r.space = in_space AND r.collection = w.collection AND r.key = w.key
                WHERE r.changed > in_base) THEN
              result := 1;
              RETURN;
            END IF;
          END IF;
          SELECT d.collection INTO refused FROM (SELECT DISTINCT w.collection FROM
              unnest(in_collections, in_kinds) w (collection, kind) WHERE w.kind & 32 = 0) d
            WHERE NOT EXISTS (SELECT FROM yap.access a WHERE a.space = in_space AND a.can_write
              AND (a.collection = d.collection OR a.collection = '\\xff') AND yap.is_member(a.role)) LIMIT 1;
          IF NOT FOUND AND kinds & 32 <> 0 THEN
            SELECT d.collection INTO refused FROM (SELECT DISTINCT r.collection FROM yap.row r
                WHERE r.space = in_space AND NOT r.gone) d
              WHERE NOT EXISTS (SELECT FROM yap.access a WHERE a.space = in_space AND a.can_write
                AND (a.collection = d.collection OR a.collection = '\\xff') AND yap.is_member(a.role)) LIMIT 1;
          END IF;
          IF FOUND THEN
            RAISE EXCEPTION 'the role % \(noRightInCollection) "%"', session_user,
              convert_from(refused, 'UTF8') USING ERRCODE = '42501';
          END IF;
          IF is_long THEN
            RAISE EXCEPTION 'a key or a collection has more than 1,024 bytes' USING ERRCODE = '22001';
          END IF;
          IF has_metadata_only AND EXISTS (SELECT FROM unnest(in_collections, in_keys, in_kinds) w (collection, key, kind) WHERE w.kind = 2
            AND NOT EXISTS (SELECT FROM yap.row r
              WHERE r.space = in_space AND r.collection = w.collection AND r.key = w.key AND NOT r.gone)) THEN
            RAISE EXCEPTION 'a transaction has metadata of a row that there is not' USING ERRCODE = '22023';
          END IF;
          INSERT INTO yap.commit (space, number, id) VALUES (in_space, next, in_id);
          IF kinds & 48 <> 0 THEN
            UPDATE yap.row r SET gone = true, object = NULL, metadata = NULL, changed = next
              WHERE r.space = in_space AND NOT r.gone AND (kinds & 32 <> 0
                OR r.collection IN (SELECT w.collection FROM unnest(in_collections, in_kinds) w (collection, kind)
                  WHERE w.kind & 16 <> 0));
          END IF;
          INSERT INTO yap.row AS r (space, collection, key, object, metadata, gone, born, object_at, metadata_at, changed)
            SELECT in_space, w.collection, w.key, w.object, w.metadata, false, CASE WHEN w.kind & 4 <> 0 THEN next ELSE 0 END,
              CASE WHEN w.kind & 5 <> 0 THEN next ELSE 0 END, CASE WHEN w.kind & 6 <> 0 THEN next ELSE 0 END, next
            FROM unnest(in_collections, in_keys, in_kinds, in_objects, in_metadatas) w (collection, key, kind, object, metadata)
            WHERE w.kind & 56 = 0
            ON CONFLICT (space, collection, key) DO UPDATE SET
              object = CASE WHEN r.gone OR EXCLUDED.object_at = next THEN EXCLUDED.object ELSE r.object END,
              metadata = CASE WHEN r.gone OR EXCLUDED.metadata_at = next THEN EXCLUDED.metadata ELSE r.metadata END,
              born = CASE WHEN r.gone OR EXCLUDED.born = next THEN next ELSE r.born END,
              object_at = CASE WHEN r.gone OR EXCLUDED.object_at = next THEN next ELSE r.object_at END,
              metadata_at = CASE WHEN r.gone OR EXCLUDED.metadata_at = next THEN next ELSE r.metadata_at END,
              gone = false, changed = next;
          IF kinds & 8 <> 0 THEN
            UPDATE yap.row r SET gone = true, object = NULL, metadata = NULL, changed = next
              FROM unnest(in_collections, in_keys, in_kinds) w (collection, key, kind)
              WHERE w.kind & 8 <> 0 AND r.space = in_space AND r.collection = w.collection AND r.key = w.key AND NOT r.gone;
          END IF;
          UPDATE yap.space s SET number = next WHERE s.id = in_space;
          PERFORM yap.announce(in_space, next);
          result := 0;
          number := next;
        END $body$
        """

    /// Stores what a mutation changed, under the mutation's id, once and for ever: the ids of mutations are not purged with the commits. So
    /// one that is sent again after weeks, from a copy of the file, or from a backup of it, does nothing. The result is then 3 and the
    /// number that of the commit which has it.
    private static let mutate = """
        CREATE OR REPLACE FUNCTION yap.mutate(in_space int8, in_base int8, in_base_id uuid, in_id uuid, in_mode int8,
          in_collections bytea[], in_keys bytea[], in_kinds int4[], in_objects bytea[], in_metadatas bytea[],
          OUT result int8, OUT number int8)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
        #variable_conflict use_column
        DECLARE
          answer record;
          old record;
        BEGIN
          PERFORM FROM yap.space s WHERE s.id = in_space AND EXISTS
            (SELECT FROM yap.access a WHERE a.space = in_space AND a.can_write AND yap.is_member(a.role)) FOR UPDATE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'the role % may not write in this space', session_user USING ERRCODE = '\(MutationSQL.noRight)';
          END IF;
          SELECT m.number INTO old FROM yap.mutation m WHERE m.id = in_id AND m.space = in_space;
          IF FOUND THEN
            result := 3;
            number := old.number;
            RETURN;
          END IF;
          IF in_mode NOT IN (0, 1) THEN
            RAISE EXCEPTION 'a mutation is not given up' USING ERRCODE = '22023';
          END IF;
          SELECT p.result, p.number INTO answer FROM yap.push(in_space, in_base, in_base_id, in_id, in_mode, in_collections, in_keys,
            in_kinds, in_objects, in_metadatas) p;
          result := answer.result;
          number := answer.number;
          IF result = 0 THEN
            INSERT INTO yap.mutation (id, space, number) VALUES (in_id, in_space, number);
          END IF;
        END $body$
        """

    /// Keeps other writers of the space out until the end of the transaction, which the client gives a limit of idle time.
    private static let hold = """
        CREATE OR REPLACE FUNCTION yap.hold(in_space int8) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
        BEGIN
          PERFORM FROM yap.space s WHERE s.id = in_space AND EXISTS
            (SELECT FROM yap.access a WHERE a.space = in_space AND a.can_write AND yap.is_member(a.role)) FOR UPDATE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'the role % may not write in this space', session_user USING ERRCODE = '42501';
          END IF;
        END $body$
        """

    /// How many files of a role are noted at most: those who may read could fill the table otherwise.
    private static let mostFiles = 1_000

    /// Notes how far a file is.
    private static let seen = """
        CREATE OR REPLACE FUNCTION yap.seen(in_space int8, in_file uuid, in_number int8) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
        BEGIN
          INSERT INTO yap.follower AS f (space, file, number) SELECT in_space, in_file, in_number
            WHERE EXISTS (SELECT FROM yap.access a WHERE a.space = in_space AND a.can_read AND yap.is_member(a.role))
              AND (EXISTS (SELECT FROM yap.follower o WHERE o.space = in_space AND o.file = in_file) OR \(mostFiles) >
                (SELECT count(*) FROM yap.follower o WHERE o.space = in_space AND o.role = session_user::name))
            ON CONFLICT (space, file) DO UPDATE SET number = EXCLUDED.number, at = EXCLUDED.at, role = EXCLUDED.role
              WHERE f.role = EXCLUDED.role OR yap.is_member(f.role);
        END $body$
        """

    /// A change of rights is a commit, so that followers find it out.
    private static let grant = """
        CREATE OR REPLACE FUNCTION yap.grant(in_space text, in_role name, in_collection bytea, in_read boolean, in_write boolean)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          found_space yap.space;
        BEGIN
          SELECT * INTO found_space FROM yap.space s WHERE s.name = in_space FOR UPDATE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no space "%"', in_space USING ERRCODE = '3F000';
          END IF;
          IF to_regrole(quote_ident(in_role)) IS NULL THEN
            RAISE EXCEPTION 'there is no role "%"', in_role USING ERRCODE = '42704';
          END IF;
          IF EXISTS (SELECT FROM yap.access a WHERE a.space = found_space.id AND a.role = in_role
            AND a.collection = in_collection AND a.can_read = in_read AND a.can_write = in_write) THEN
            RETURN;
          END IF;
          INSERT INTO yap.access AS a (space, role, collection, can_read, can_write, changed)
            VALUES (found_space.id, in_role, in_collection, in_read, in_write, found_space.number + 1)
            ON CONFLICT (space, role, collection) DO UPDATE SET can_read = EXCLUDED.can_read,
              can_write = EXCLUDED.can_write, changed = EXCLUDED.changed;
          INSERT INTO yap.commit (space, number, id) VALUES (found_space.id, found_space.number + 1, gen_random_uuid());
          UPDATE yap.space s SET number = found_space.number + 1 WHERE s.id = found_space.id;
          PERFORM yap.announce(found_space.id, found_space.number + 1);
        END $body$
        """
}
