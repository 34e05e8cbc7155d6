/// SQL functions that read the fields of objects on the server. The objects are binary property lists or JSON.
///
/// A rule must see the same values as every client. So the functions refuse an object that two readers might understand differently: one with a
/// field name that occurs twice, with references in another order than writers produce, or with text that is not valid. Values are compared and
/// not shown, so a date, a real number, data or a long text is represented by its bytes.
enum ObjectSQL {
    /// The most bytes and values of an object that a rule reads: as much as a few messages of the greatest length.
    private static let (byteLimit, valueLimit) = (1 << 20, 20_000)
    /// The most bytes of a text that is decoded although it is not ASCII. Names are shorter.
    private static let textLimit = 1_024

    static let number = """
        CREATE OR REPLACE FUNCTION yap.number_at(bytes bytea, place int8, width int8) RETURNS int8
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
        BEGIN
          IF width NOT BETWEEN 1 AND 8 OR place < 0 OR place + width > length(bytes) THEN
            RAISE EXCEPTION 'a number of an object is out of place' USING ERRCODE = '22023';
          END IF;
          RETURN ('x' || lpad(encode(substr(bytes, place::int4 + 1, width::int4), 'hex'), 16, '0'))::bit(64)::int8;
        END $body$
        """

    /// A text of UTF-16.
    static let text = """
        CREATE OR REPLACE FUNCTION yap.utf16_text(bytes bytea) RETURNS text
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          result text := '';
          place int4 := 0;
          unit int4;
          second int4;
        BEGIN
          WHILE place < length(bytes) LOOP
            unit := get_byte(bytes, place) * 256 + get_byte(bytes, place + 1);
            place := place + 2;
            IF unit BETWEEN 55296 AND 56319 THEN
              second := get_byte(bytes, place) * 256 + get_byte(bytes, place + 1);
              place := place + 2;
              IF second NOT BETWEEN 56320 AND 57343 THEN
                RAISE EXCEPTION 'a text has half of a character' USING ERRCODE = '22023';
              END IF;
              unit := 65536 + (unit - 55296) * 1024 + second - 56320;
            END IF;
            result := result || chr(unit);
          END LOOP;
          RETURN result;
        END $body$
        """

    /// Reads the values of a binary property list: first plain values, then each list and dictionary once, after all values that it contains. A
    /// list or a dictionary may be contained in one other at most. Our own writer puts the root object last, Foundation puts it first.
    static let propertyList = """
        CREATE OR REPLACE FUNCTION yap.property_list(bytes bytea) RETURNS jsonb
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          trailer int8 := length(bytes) - 32;
          offset_width int8 := get_byte(bytes, length(bytes) - 26);
          reference_width int8 := get_byte(bytes, length(bytes) - 25);
          total int8 := yap.number_at(bytes, trailer + 8, 8);
          root int8 := yap.number_at(bytes, trailer + 16, 8);
          offsets int8 := yap.number_at(bytes, trailer + 24, 8);
          found jsonb[] := '{}';
          is_list boolean[] := '{}';
          number int8;
          place int8;
          marker int4;
          count int8;
          child int8;
          children int8[];
          result jsonb;
        BEGIN
          IF total NOT BETWEEN 1 AND \(valueLimit) OR root NOT IN (0, total - 1) OR offsets + total * offset_width > trailer THEN
            RAISE EXCEPTION 'an object is no property list that a client writes' USING ERRCODE = '22023';
          END IF;
          FOR step IN 0..2 * total - 1 LOOP
            number := CASE WHEN root = 0 THEN total - 1 - step % total ELSE step % total END;
            place := yap.number_at(bytes, offsets + number * offset_width, offset_width);
            marker := get_byte(bytes, place::int4);
            CONTINUE WHEN (marker >> 4 IN (10, 13)) <> (step >= total);
            place := place + 1;
            count := marker & 15;
            IF marker >> 4 IN (4, 5, 6, 10, 13) AND count = 15 THEN
              count := yap.number_at(bytes, place + 1, 1 << (get_byte(bytes, place::int4) & 15));
              IF get_byte(bytes, place::int4) >> 4 <> 1 THEN
                RAISE EXCEPTION 'a length is no number' USING ERRCODE = '22023';
              END IF;
              place := place + 1 + (1 << (get_byte(bytes, place::int4) & 15));
            END IF;
            IF count < 0 OR place + count * (CASE marker >> 4 WHEN 6 THEN 2 WHEN 10 THEN reference_width
                WHEN 13 THEN 2 * reference_width WHEN 4 THEN 1 WHEN 5 THEN 1 ELSE 0 END) > offsets THEN
              RAISE EXCEPTION 'a value is longer than its object' USING ERRCODE = '22023';
            END IF;
            CASE marker >> 4
              WHEN 0 THEN
                result := CASE marker WHEN 8 THEN 'false'::jsonb WHEN 9 THEN 'true'::jsonb END;
              WHEN 1 THEN
                result := to_jsonb(yap.number_at(bytes, place, 1 << count::int4));
              WHEN 2, 3 THEN
                result := jsonb_build_object('$' || (marker >> 4), encode(substr(bytes, place::int4 + 1, 1 << count::int4), 'hex'));
              WHEN 4 THEN
                result := jsonb_build_object('$4', encode(substr(bytes, place::int4 + 1, count::int4), 'hex'));
              WHEN 5 THEN
                result := to_jsonb(convert_from(substr(bytes, place::int4 + 1, count::int4), 'UTF8'));
                IF length(result #>> '{}') <> count THEN
                  RAISE EXCEPTION 'a text is not what it says' USING ERRCODE = '22023';
                END IF;
              WHEN 6 THEN
                result := CASE WHEN count * 2 <= \(textLimit) THEN to_jsonb(yap.utf16_text(substr(bytes, place::int4 + 1, count::int4 * 2)))
                  ELSE jsonb_build_object('$6', encode(substr(bytes, place::int4 + 1, count::int4 * 2), 'hex')) END;
              WHEN 10, 13 THEN
                children := '{}';
                FOR index IN 0..count * CASE marker >> 4 WHEN 13 THEN 2 ELSE 1 END - 1 LOOP
                  child := yap.number_at(bytes, place + index * reference_width, reference_width);
                  IF child NOT BETWEEN 0 AND total - 1 OR found[child + 1] IS NULL OR is_list[child + 1] IS NULL THEN
                    RAISE EXCEPTION 'values of an object refer to each other in a circle, or twice' USING ERRCODE = '22023';
                  END IF;
                  children := children || child;
                  IF is_list[child + 1] THEN
                    is_list[child + 1] := NULL;
                  END IF;
                END LOOP;
                IF marker >> 4 = 10 THEN
                  SELECT COALESCE(jsonb_agg(found[c + 1] ORDER BY o), '[]') INTO result FROM unnest(children) WITH ORDINALITY u (c, o);
                ELSE
                  IF EXISTS (SELECT FROM unnest(children[:count]) c WHERE jsonb_typeof(found[c + 1]) <> 'string'
                      OR found[c + 1] #>> '{}' IN ('$2', '$3', '$4', '$6'))
                    OR (SELECT count(DISTINCT found[c + 1]) <> array_length(children, 1) / 2 FROM unnest(children[:count]) c) THEN
                    RAISE EXCEPTION 'an object has a field twice' USING ERRCODE = '22023';
                  END IF;
                  SELECT COALESCE(jsonb_object_agg(found[k + 1] #>> '{}', found[v + 1]), '{}') INTO result
                    FROM unnest(children[:count], children[count + 1:]) u (k, v);
                END IF;
              ELSE
                result := NULL;
            END CASE;
            IF result IS NULL THEN
              RAISE EXCEPTION 'an object has a value of a kind that no client writes' USING ERRCODE = '22023';
            END IF;
            found[number + 1] := result;
            is_list[number + 1] := marker >> 4 IN (10, 13);
          END LOOP;
          RETURN found[root + 1];
        END $body$
        """

    /// Returns the fields of an object; null if there is no object.
    static let fields = """
        CREATE OR REPLACE FUNCTION yap.fields(object bytea) RETURNS jsonb
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
        DECLARE
          plain json;
          result jsonb;
        BEGIN
          IF object IS NULL THEN
            RETURN NULL;
          END IF;
          IF length(object) > \(byteLimit) THEN
            RAISE EXCEPTION 'an object of a collection with a rule has more than \(byteLimit >> 20) MB' USING ERRCODE = '54000';
          END IF;
          IF length(object) >= 41 AND substr(object, 1, 8) = 'bplist00' THEN
            result := yap.property_list(object);
          ELSE
            plain := convert_from(object, 'UTF8')::json;
            result := plain::jsonb;
            IF json_typeof(plain) = 'object' AND ((SELECT count(*) <> count(DISTINCT k) FROM json_object_keys(plain) k)
              OR EXISTS (SELECT FROM json_each(plain) e WHERE json_typeof(e.value) = 'object'
                AND (SELECT count(*) <> count(DISTINCT k) FROM json_object_keys(e.value) k))) THEN
              RAISE EXCEPTION 'an object has a field twice' USING ERRCODE = '22023';
            END IF;
          END IF;
          IF jsonb_typeof(result) <> 'object' THEN
            RAISE EXCEPTION 'an object of a collection with a rule has no fields' USING ERRCODE = '22023';
          END IF;
          RETURN result;
        END $body$
        """
}
